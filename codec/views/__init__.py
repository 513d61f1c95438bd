"""Looks at parts of a blob: views, whose parts are decoded when touched, and paths into them."""

from .built import BuiltPart
from .paths import Paths
from .views import ListView, MapView, Origin, RecordView

__all__ = ["BuiltPart", "ListView", "MapView", "Origin", "Paths", "RecordView"]
