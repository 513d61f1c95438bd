"""An edit is lost between two versions whose way is two passes (ops that cannot be fused).

Only versions 1 and 3 take part. Version 2 has the address twice: in `box` and in `known`.
Run at the root of the checkout: .venv/bin/python repro_segments.py
"""
import sys; sys.path.insert(0,'tests')
from evolve import field, record, registry
from mixed_fleet import array
from instar.migrations import compute, plunge, rename
from instar.codec.engines import forced_engine
BOX=record("Box", field("url","string"))
def up(box, known): return known or [box.url if hasattr(box,"url") else box]
def down_box(known): return {"url": known[0] if known else ""}, known
def down_text(known): return known[0] if known else "", known
V1=[field("url","string")]
V3=[field("known",array("string"))]
for box, V2, ops, down in (
  ("url", [field("box","string"),field("known",array("string"),default=[])], [rename("url","box")], down_text),
  ("box", [field("box",BOX),field("known",array("string"),default=[])], [plunge("url","box")], down_box),
):
    r=registry([V1,V2,V3],ops,[compute(reads=("box","known"),writes="known",up=up,down=down)])
    for e in ("kernel","library"):
      with forced_engine(e):
        R=lambda v:r.codec("state",version=v)
        y=R(3).from_builtins({"known":["a"]})
        x=R(1).decode(R(3).encode(y)); x.url="EDIT"
        segs=[(s.source,s.target) for s in r.subject("state").plan(3,1).segments]
        found=R(3).to_builtins(R(3).decode(R(1).encode(x)))["known"]
        print(f"down in {segs}, {e}: {found}", "ok" if found==["EDIT"] else "THE EDIT IS LOST")
