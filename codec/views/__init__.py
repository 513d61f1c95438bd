"""Looks at parts of a blob: views, whose parts are decoded when touched, and paths into them."""

from .built import root_part
from .paths import Paths
from .views import ListView, MapView, Origin, RecordView

__all__ = ["ListView", "MapView", "Origin", "Paths", "RecordView", "root_part"]
