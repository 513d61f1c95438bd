/* What the compiler calls at every block of the kernel (gcc -fsanitize-coverage=trace-pc): counts
   each edge, a pair of blocks one after the other, in a table that `explore.pyx` reads. */

#include <stdint.h>

enum { EDGES = 65536 };

/* How often each edge was passed, up to 255; which were, in order; and how many those are. */
uint8_t instar_passed[EDGES];
uint16_t instar_edges[EDGES];
uint32_t instar_edge_count;

static uintptr_t before;

void __sanitizer_cov_trace_pc(void)
{
    /* From the table, so that it is the same wherever the module was loaded. */
    uintptr_t here = (uintptr_t)__builtin_return_address(0) - (uintptr_t)instar_passed;
    uint16_t edge = (uint16_t)(here ^ here >> 16 ^ before);
    before = here >> 1;
    if (!instar_passed[edge])
        instar_edges[instar_edge_count++] = edge;
    if (instar_passed[edge] < UINT8_MAX)
        instar_passed[edge]++;
}
