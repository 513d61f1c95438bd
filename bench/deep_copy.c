/* A deep copy of typed states in C: the least that hydrating them can cost.

   Every record, list and dict is made anew, and so is every str, bytes, int, float and
   datetime in them, dict keys included: hydration has to allocate just those. Shared are
   singletons (None, booleans, small integers, texts of one character or none), integers
   beyond 64 bits, and whatever `learn` was told to share. A sequence that it was told to
   repeat, a vector, is repeated once, which is a copy of its block. There is no check of any kind,
   and no limit of depth. Built by deep_copy.py, for the bench alone. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <datetime.h>
#include <string.h>

/* Where the attributes of a class lie; a count of SHARED means that its objects are shared, and
   one of REPEATED that they are sequences which copy themselves. */
typedef struct {
    PyTypeObject *type;
    Py_ssize_t count;
    Py_ssize_t *offsets;
} Layout;

#define SLOTS 4096
#define MOST (SLOTS / 2)
#define SHARED (-1)
#define REPEATED (-2)

static Layout layouts[SLOTS];
static Py_ssize_t learnt = 0;

static PyObject *copy_value(PyObject *old);

/* The entry of a type, or the free one where it would go: the table is never full. */
static Layout *
find_layout(PyTypeObject *type)
{
    size_t at = ((size_t)type >> 4) % SLOTS;
    while (layouts[at].type != NULL && layouts[at].type != type)
        at = (at + 1) % SLOTS;
    return &layouts[at];
}

static PyObject *
copy_text(PyObject *old)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(old);
    if (length <= 1)
        return Py_NewRef(old);
    PyObject *made = PyUnicode_New(length, PyUnicode_MAX_CHAR_VALUE(old));
    if (made != NULL)
        memcpy(PyUnicode_DATA(made), PyUnicode_DATA(old), length * PyUnicode_KIND(old));
    return made;
}

static PyObject *
copy_integer(PyObject *old)
{
    int overflow = 0;
    long long value = PyLong_AsLongLongAndOverflow(old, &overflow);
    return overflow ? Py_NewRef(old) : PyLong_FromLongLong(value);
}

static PyObject *
copy_moment(PyObject *old)
{
    return PyDateTimeAPI->DateTime_FromDateAndTimeAndFold(
        PyDateTime_GET_YEAR(old), PyDateTime_GET_MONTH(old), PyDateTime_GET_DAY(old),
        PyDateTime_DATE_GET_HOUR(old), PyDateTime_DATE_GET_MINUTE(old),
        PyDateTime_DATE_GET_SECOND(old), PyDateTime_DATE_GET_MICROSECOND(old),
        PyDateTime_DATE_GET_TZINFO(old), PyDateTime_DATE_GET_FOLD(old), Py_TYPE(old));
}

static PyObject *
copy_list(PyObject *old)
{
    Py_ssize_t size = PyList_GET_SIZE(old);
    PyObject *made = PyList_New(size);
    for (Py_ssize_t i = 0; made != NULL && i < size; i++) {
        PyObject *item = copy_value(PyList_GET_ITEM(old, i));
        if (item == NULL)
            Py_CLEAR(made);
        else
            PyList_SET_ITEM(made, i, item);
    }
    return made;
}

static int
copy_entry(PyObject *into, PyObject *key, PyObject *value)
{
    PyObject *new_key = copy_value(key);
    PyObject *new_value = new_key == NULL ? NULL : copy_value(value);
    int failed = new_value == NULL || PyDict_SetItem(into, new_key, new_value) < 0;
    Py_XDECREF(new_key);
    Py_XDECREF(new_value);
    return failed;
}

static PyObject *
copy_dict(PyObject *old)
{
    PyObject *key, *value, *made = PyDict_New();
    Py_ssize_t at = 0;
    while (made != NULL && PyDict_Next(old, &at, &key, &value)) {
        if (copy_entry(made, key, value))
            Py_CLEAR(made);
    }
    return made;
}

static PyObject *
copy_record(PyObject *old, const Layout *layout)
{
    PyObject *made = layout->type->tp_alloc(layout->type, 0);
    for (Py_ssize_t i = 0; made != NULL && i < layout->count; i++) {
        PyObject *part = *(PyObject **)((char *)old + layout->offsets[i]);
        PyObject *copied = part == NULL ? NULL : copy_value(part);
        *(PyObject **)((char *)made + layout->offsets[i]) = copied;
        if (part != NULL && copied == NULL)
            Py_CLEAR(made);
    }
    return made;
}

static PyObject *
copy_other(PyObject *old)
{
    const Layout *layout = find_layout(Py_TYPE(old));
    if (layout->type == NULL)
        return PyErr_Format(PyExc_TypeError, "cannot copy a %s", Py_TYPE(old)->tp_name);
    if (layout->count == REPEATED)
        return PySequence_Repeat(old, 1);
    return layout->count == SHARED ? Py_NewRef(old) : copy_record(old, layout);
}

static PyObject *
copy_value(PyObject *old)
{
    PyTypeObject *type = Py_TYPE(old);
    if (type == &PyUnicode_Type)
        return copy_text(old);
    if (old == Py_None || type == &PyBool_Type)
        return Py_NewRef(old);
    if (type == &PyLong_Type)
        return copy_integer(old);
    if (type == &PyList_Type)
        return copy_list(old);
    if (type == &PyDict_Type)
        return copy_dict(old);
    if (type == PyDateTimeAPI->DateTimeType)
        return copy_moment(old);
    if (type == &PyFloat_Type)
        return PyFloat_FromDouble(PyFloat_AS_DOUBLE(old));
    if (type == &PyBytes_Type)
        return PyBytes_FromStringAndSize(PyBytes_AS_STRING(old), PyBytes_GET_SIZE(old));
    return copy_other(old);
}

static PyObject *
copy(PyObject *Py_UNUSED(module), PyObject *old)
{
    return copy_value(old);
}

/* The offsets of member descriptors in a tuple; NULL with an error set. */
static Py_ssize_t *
read_offsets(PyObject *members)
{
    Py_ssize_t size = PyTuple_GET_SIZE(members);
    Py_ssize_t *offsets = PyMem_Calloc(size + 1, sizeof(Py_ssize_t));
    if (offsets == NULL)
        return (Py_ssize_t *)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *member = PyTuple_GET_ITEM(members, i);
        if (Py_TYPE(member) != &PyMemberDescr_Type) {
            PyMem_Free(offsets);
            PyErr_SetString(PyExc_TypeError, "an attribute is no slot");
            return NULL;
        }
        offsets[i] = ((PyMemberDescrObject *)member)->d_member->offset;
    }
    return offsets;
}

static PyObject *
learn(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyTypeObject *type;
    PyObject *members = Py_None;
    if (!PyArg_ParseTuple(arguments, "O!|O", &PyType_Type, &type, &members))
        return NULL;
    if (members != Py_None && !PyTuple_Check(members))
        return PyErr_Format(PyExc_TypeError, "the slots are a tuple");
    Layout *layout = find_layout(type);
    if (layout->type != NULL)
        Py_RETURN_NONE;
    if (learnt == MOST)
        return PyErr_Format(PyExc_ValueError, "too many classes");
    if (members != Py_None && (layout->offsets = read_offsets(members)) == NULL)
        return NULL;
    layout->count = members == Py_None ? SHARED : PyTuple_GET_SIZE(members);
    layout->type = (PyTypeObject *)Py_NewRef(type);
    learnt++;
    Py_RETURN_NONE;
}

static PyObject *
repeat(PyObject *module, PyObject *type)
{
    PyObject *arguments = PyTuple_Pack(1, type);
    PyObject *done = arguments == NULL ? NULL : learn(module, arguments);
    Py_XDECREF(arguments);
    if (done != NULL)
        find_layout((PyTypeObject *)type)->count = REPEATED;
    return done;
}

static PyMethodDef methods[] = {
    {"copy", copy, METH_O, "A deep copy of a value."},
    {"learn", learn, METH_VARARGS, "Copy a class by these slots; without any, share its objects."},
    {"repeat", repeat, METH_O, "Copy the objects of a class by repeating them once."},
    {NULL, NULL, 0, NULL},
};

static int
start(PyObject *Py_UNUSED(module))
{
    PyDateTime_IMPORT;
    return PyDateTimeAPI == NULL ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, start}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "deep_copy", NULL, 0, methods, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC
PyInit_deep_copy(void)
{
    return PyModuleDef_Init(&definition);
}
