"""The demo's pictures, drawn by code: SVG put together from small parts, then rasterised.

text.py    lines of type that are measured, so that they never leave their label
ink.py     colours, light from the left, shadows
marks.py   brand marks and the plants printed on labels
label.py   what a label looks like, in seven styles
vessels.py, packs.py, goods.py   the things themselves, standing on (0, 0)
scene.py   a thing in its light: front, in company, close up
art.py     banners, menu pictures, concerns, icons, logos
"""
