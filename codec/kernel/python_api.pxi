# What the kernel uses of the C API of Python, on plain pointers: it counts references itself.

from libc.stdint cimport INT64_MAX, INT64_MIN, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memmove, memset

cdef extern from "Python.h":
    ctypedef struct PyObject:
        Py_ssize_t ob_refcnt
        PyTypeObject *ob_type
    ctypedef PyObject *(*allocfunc)(PyTypeObject *, Py_ssize_t) noexcept
    ctypedef struct PyTypeObject:
        Py_ssize_t tp_basicsize
        Py_ssize_t tp_itemsize
        Py_ssize_t tp_dictoffset
        unsigned long tp_flags
        allocfunc tp_alloc
    unsigned long Py_TPFLAGS_HAVE_GC

    PyObject *Py_None
    PyObject *Py_True
    PyObject *Py_False
    void Py_INCREF(PyObject *)
    void Py_DECREF(PyObject *)
    void Py_XDECREF(PyObject *)
    PyTypeObject *Py_TYPE(PyObject *)

    PyObject *_PyObject_GC_New(PyTypeObject *) noexcept
    void PyObject_GC_Track(PyObject *)
    void PyObject_GC_UnTrack(PyObject *)
    int PyObject_GC_IsTracked(PyObject *)
    int PyGC_Disable()
    int PyGC_Enable()

    void *PyMem_Malloc(size_t)
    void *PyMem_Calloc(size_t, size_t)
    void *PyMem_Realloc(void *, size_t)
    void PyMem_Free(void *)

    PyObject *PyObject_CallOneArg(PyObject *, PyObject *) noexcept
    PyObject *PyObject_CallNoArgs(PyObject *) noexcept
    PyObject *PyObject_Vectorcall(PyObject *, PyObject **, size_t, PyObject *) noexcept
    PyObject *PyObject_Str(PyObject *) noexcept
    int PyErr_ExceptionMatches(PyObject *) noexcept
    void PyErr_Clear() noexcept
    PyObject *PyErr_Occurred() noexcept
    PyObject *PyErr_NoMemory() noexcept
    PyObject *PyExc_Exception

    PyObject *PyBytes_FromStringAndSize(const char *, Py_ssize_t) noexcept
    int PyBytes_CheckExact(PyObject *)
    Py_ssize_t PyBytes_GET_SIZE(PyObject *)
    char *PyBytes_AS_STRING(PyObject *)
    int _PyBytes_Resize(PyObject **, Py_ssize_t) noexcept

    PyObject *PyUnicode_New(Py_ssize_t, uint32_t) noexcept
    PyObject *PyUnicode_DecodeUTF8(const char *, Py_ssize_t, const char *) noexcept
    int PyUnicode_CheckExact(PyObject *)
    int PyUnicode_IS_COMPACT_ASCII(PyObject *)
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject *)
    int PyUnicode_KIND(PyObject *)
    void *PyUnicode_DATA(PyObject *)
    uint32_t PyUnicode_READ(int, void *, Py_ssize_t)
    uint8_t *PyUnicode_1BYTE_DATA(PyObject *)
    const char *PyUnicode_AsUTF8AndSize(PyObject *, Py_ssize_t *) noexcept

    int PyLong_CheckExact(PyObject *)
    PyObject *PyLong_FromLongLong(long long) noexcept
    PyObject *PyLong_FromUnsignedLongLong(unsigned long long) noexcept
    PyObject *PyLong_FromString(const char *, char **, int) noexcept
    long long PyLong_AsLongLongAndOverflow(PyObject *, int *) noexcept
    unsigned long long PyLong_AsUnsignedLongLong(PyObject *) noexcept

    int PyFloat_CheckExact(PyObject *)
    PyObject *PyFloat_FromDouble(double) noexcept
    double PyFloat_AS_DOUBLE(PyObject *)
    double PyFloat_Unpack4(const char *, int) noexcept
    double PyFloat_Unpack8(const char *, int) noexcept
    int PyFloat_Pack4(double, char *, int) noexcept
    int PyFloat_Pack8(double, char *, int) noexcept
    double PyOS_string_to_double(const char *, char **, PyObject *) noexcept

    int PyTuple_Check(PyObject *)
    Py_ssize_t PyTuple_GET_SIZE(PyObject *)
    PyObject *PyTuple_GET_ITEM(PyObject *, Py_ssize_t)

    int PyList_CheckExact(PyObject *)
    PyObject *PyList_New(Py_ssize_t) noexcept
    Py_ssize_t PyList_GET_SIZE(PyObject *)
    PyObject *PyList_GET_ITEM(PyObject *, Py_ssize_t)
    void PyList_SET_ITEM(PyObject *, Py_ssize_t, PyObject *)
    int PyList_Append(PyObject *, PyObject *) noexcept

    ctypedef struct Py_buffer:
        void *buf
        Py_ssize_t len
        Py_ssize_t itemsize
        char *format
    int PyBUF_FORMAT
    int PyBUF_WRITABLE
    int PyObject_GetBuffer(PyObject *, Py_buffer *, int) noexcept
    void PyBuffer_Release(Py_buffer *) noexcept
    PyObject *PySequence_Repeat(PyObject *, Py_ssize_t) noexcept
    PyObject *PySequence_List(PyObject *) noexcept

    int PyDict_CheckExact(PyObject *)
    PyObject *PyDict_New() noexcept
    int PyDict_SetItem(PyObject *, PyObject *, PyObject *) noexcept
    Py_ssize_t PyDict_GET_SIZE "PyDict_Size" (PyObject *)
    int PyDict_Next(PyObject *, Py_ssize_t *, PyObject **, PyObject **) noexcept
    PyObject *PyDict_GetItemWithError(PyObject *, PyObject *) noexcept

cdef extern from "structmember.h":
    ctypedef struct PyMemberDef:
        int type
        Py_ssize_t offset
        int flags
    ctypedef struct PyMemberDescrObject:
        PyMemberDef *d_member
    int T_OBJECT_EX
    int READONLY

cdef extern from "datetime.h":
    ctypedef struct PyDateTime_CAPI:
        PyTypeObject *DateType
        PyTypeObject *DateTimeType
        PyTypeObject *TimeType
        PyTypeObject *DeltaType
        PyObject *TimeZone_UTC
        PyObject *(*Date_FromDate)(int, int, int, PyTypeObject *) noexcept
        PyObject *(*DateTime_FromDateAndTime)(
            int, int, int, int, int, int, int, PyObject *, PyTypeObject *) noexcept
        PyObject *(*Time_FromTime)(int, int, int, int, PyObject *, PyTypeObject *) noexcept
        PyObject *(*Delta_FromDelta)(int, int, int, int, PyTypeObject *) noexcept
    PyDateTime_CAPI *PyDateTimeAPI
    int PyDateTime_GET_YEAR(PyObject *)
    int PyDateTime_GET_MONTH(PyObject *)
    int PyDateTime_GET_DAY(PyObject *)
    int PyDateTime_DATE_GET_HOUR(PyObject *)
    int PyDateTime_DATE_GET_MINUTE(PyObject *)
    int PyDateTime_DATE_GET_SECOND(PyObject *)
    int PyDateTime_DATE_GET_MICROSECOND(PyObject *)
    PyObject *PyDateTime_DATE_GET_TZINFO(PyObject *)
    int PyDateTime_TIME_GET_HOUR(PyObject *)
    int PyDateTime_TIME_GET_MINUTE(PyObject *)
    int PyDateTime_TIME_GET_SECOND(PyObject *)
    int PyDateTime_TIME_GET_MICROSECOND(PyObject *)
    PyObject *PyDateTime_TIME_GET_TZINFO(PyObject *)
    int PyDateTime_DELTA_GET_DAYS(PyObject *)
    int PyDateTime_DELTA_GET_SECONDS(PyObject *)
    int PyDateTime_DELTA_GET_MICROSECONDS(PyObject *)

cdef extern from *:
    """
    static void instar_import_datetime(void) { PyDateTime_IMPORT; }
    """
    void import_datetime "instar_import_datetime" ()
