# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, infer_types=True
"""The kernel: programs that turn payloads into objects and objects into payloads.

Compiled, and optional: :mod:`instar.codec.engines` says whether it is in use. Each part is in
a file of its own, read in here so that the compiler sees all of them at once.
"""

import array
import decimal
import types
import uuid
import weakref

import msgspec

from ...errors import ComputeError, ValueMismatch

include "python_api.pxi"
include "payload.pxi"
include "texts.pxi"
include "utf8.pxi"
include "times.pxi"
include "buffer.pxi"
include "nodes.pxi"
include "records.pxi"
include "assemble.pxi"
include "values.pxi"
include "json_numbers.pxi"
include "json_read.pxi"
include "json_write.pxi"
include "spellings.pxi"
include "keyed.pxi"
include "msgpack_write.pxi"
include "msgpack_read.pxi"
include "text_write.pxi"
include "text_read.pxi"
include "vectors.pxi"
include "avro_read.pxi"
include "keyed_read.pxi"
include "avro_skip.pxi"
include "avro_pass.pxi"
include "avro_write.pxi"
include "checksum.pxi"
include "tag.pxi"
include "text_tag.pxi"
include "protobuf_payload.pxi"
include "protobuf_absent.pxi"
include "protobuf_known_read.pxi"
include "protobuf_back.pxi"
include "protobuf_token.pxi"
include "protobuf_read.pxi"
include "protobuf_order.pxi"
include "protobuf_known_write.pxi"
include "protobuf_write.pxi"
include "parts.pxi"
include "avro_parts.pxi"
include "protobuf_skip.pxi"
include "protobuf_parts.pxi"
include "protobuf_items.pxi"
include "entry.pxi"
include "check.pxi"
include "carriers.pxi"
include "residue.pxi"
include "newer.pxi"

import_datetime()
