"""A scene of the dice world built in Blender and lit by its path tracer, Cycles (needs `bpy`)."""

from __future__ import annotations

import tempfile
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.world import Light, Look, Placed, Scene, Surface, Thing
from companion.vision.world.faces import drawn
from companion.vision.world.scene import SIDES

Floats = NDArray[Any]
_SAMPLES = 12
_GRID = 14
"""Parts along an edge of a die's side in the mesh."""
_FAR = 6000.0
"""Half the width of the table in mm."""
_METAL = 0.06
"""Share of the pictures whose ordinary dice are of metal."""


class Studio:
    """A scene built in Blender; millimetres are its units."""

    def __init__(self, scene: Scene, rng: np.random.Generator) -> None:
        import bpy

        self.bpy, self.rng, self.scene = bpy, rng, scene
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.stage = bpy.context.scene
        self._film()
        self._camera()
        self._room()
        for lamp in scene.lights:
            self._lamp(lamp)
        self._table()
        for thing in scene.things:
            self._thing(thing)
        self.metal = rng.random() < _METAL
        self.specks = float(np.exp(rng.uniform(np.log(8), np.log(80))))  # along an edge of a die
        self.sheen = float(rng.uniform(0.25, 1.0))
        self.coat = float(rng.uniform(0.3, 1.0)) if rng.random() < 0.3 else 0.0
        made: dict[tuple[str, Look, str, int], Any] = {}
        for die in scene.dice:
            self._die(die, made)

    def light(self) -> Floats:
        """Trace it: linear BGR."""
        with tempfile.TemporaryDirectory() as folder:
            self.stage.render.filepath = f"{folder}/out.exr"
            self.bpy.ops.render.render(write_still=True)
            image = self.bpy.data.images.load(f"{folder}/out.exr")
            wide, high = image.size
            flat = np.empty(wide * high * image.channels, np.float32)
            image.pixels.foreach_get(flat)
        rows = flat.reshape(high, wide, image.channels)[::-1, :, 2::-1]
        return np.ascontiguousarray(np.nan_to_num(rows))

    def _film(self) -> None:
        stage = self.stage
        stage.render.engine = "CYCLES"
        cycles = stage.cycles
        cycles.device = "CPU"
        cycles.samples = _SAMPLES
        cycles.use_adaptive_sampling = False
        cycles.use_denoising = True
        cycles.denoising_quality = cycles.denoising_prefilter = "FAST"
        cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 5, 1, 2
        cycles.transmission_bounces, cycles.transparent_max_bounces = 5, 5
        cycles.sample_clamp_indirect = 4.0
        cycles.caustics_reflective = cycles.caustics_refractive = False
        cycles.seed = int(self.rng.integers(0, 1 << 20))
        stage.render.resolution_x, stage.render.resolution_y = self.scene.view.width, self.scene.view.height
        stage.render.resolution_percentage = 100
        stage.render.image_settings.file_format = "OPEN_EXR"
        stage.render.image_settings.color_depth = "32"
        stage.render.film_transparent = False

    def _add(self, name: str, data: Any) -> Any:
        thing = self.bpy.data.objects.new(name, data)
        self.stage.collection.objects.link(thing)
        return thing

    def _camera(self) -> None:
        from mathutils import Matrix

        view = self.scene.view
        camera = self.bpy.data.cameras.new("camera")
        camera.sensor_fit, camera.sensor_width = "HORIZONTAL", 36.0
        camera.lens = view.focal * 36.0 / view.width
        camera.clip_start, camera.clip_end = 1.0, 1e6
        right, down, forward = view.axes().astype(float)
        place = np.eye(4)
        place[:3, 0], place[:3, 1], place[:3, 2], place[:3, 3] = right, -down, -forward, view.eye()
        holder = self._add("camera", camera)
        holder.matrix_world = Matrix(place.tolist())
        self.stage.camera = holder

    def _picture(self, pixels: Floats) -> Any:
        """A picture (rows from the top, RGB or RGBA, as numbers that are not to be bent) for a material."""
        high, wide = pixels.shape[:2]
        full = np.ones((high, wide, 4), np.float32)
        full[..., : pixels.shape[2]] = pixels
        image = self.bpy.data.images.new("paint", wide, high, alpha=True, float_buffer=True)
        image.colorspace_settings.name = "Non-Color"
        image.alpha_mode = "CHANNEL_PACKED"
        image.pixels.foreach_set(full[::-1].ravel())
        return image

    def _material(self) -> tuple[Any, Any, Any]:
        material = self.bpy.data.materials.new("paint")
        material.use_nodes = True
        tree = material.node_tree
        return material, tree, tree.nodes["Principled BSDF"]

    def _painted(self, tree: Any, pixels: Floats, extend: str = "EXTEND") -> Any:
        node = tree.nodes.new("ShaderNodeTexImage")
        node.image, node.extension = self._picture(pixels), extend
        return node

    def _room(self) -> None:
        """Ceiling, walls, windows and dark corners, all in all as bright as the sky's light."""
        rng = self.rng
        high, wide = 64, 128
        down = np.linspace(0, 1, high)[:, None]
        panorama = 0.4 + rng.uniform(0, 1.2) * np.clip(1 - 2 * down, 0, 1) + np.zeros((high, wide))
        for _ in range(int(rng.integers(2, 9))):
            x, y = int(rng.integers(0, wide)), int(rng.integers(0, 40))
            w, h = int(rng.integers(3, 40)), int(rng.integers(2, 20))
            bright = float(np.exp(rng.normal(0, 1.2)))
            columns = np.arange(x, x + w) % wide
            panorama[y : y + h, columns] = bright
        soft = cv2.GaussianBlur(panorama, (0, 0), float(rng.uniform(0.3, 4)), borderType=cv2.BORDER_REFLECT)
        upper = np.clip(np.cos(down * np.pi), 0, 1) * np.sin(down * np.pi)
        mean = float((soft * upper).sum() / (upper.sum() * wide))
        colours = soft[..., None] / mean * np.array(self.scene.ambient, np.float32)[::-1]
        world = self.bpy.data.worlds.new("room")
        world.use_nodes = True
        tree = world.node_tree
        node = tree.nodes.new("ShaderNodeTexEnvironment")
        node.image = self._picture(colours.astype(np.float32))
        back = next(n for n in tree.nodes if n.type == "BACKGROUND")
        tree.links.new(node.outputs["Color"], back.inputs["Color"])
        self.stage.world = world

    def _lamp(self, lamp: Light) -> None:
        from mathutils import Vector

        rng = self.rng
        toward = np.array(lamp.towards, float)
        toward /= np.linalg.norm(toward)
        far = 3000.0 if lamp.glint > 1 else float(np.exp(rng.uniform(np.log(500), np.log(3000))))
        light = self.bpy.data.lights.new("lamp", "AREA")
        wide = 2 * far * max(lamp.spread, 0.01)
        light.shape = str(rng.choice(["DISK", "SQUARE", "RECTANGLE", "RECTANGLE", "ELLIPSE"]))
        slim = float(rng.uniform(0.15, 1)) if light.shape in ("RECTANGLE", "ELLIPSE") else 1.0
        light.size, light.size_y = wide / np.sqrt(slim), wide * np.sqrt(slim)
        power = np.array(lamp.light, float)[::-1]
        strength = float(power.max())
        light.color = tuple(float(p) for p in power / max(strength, 1e-6))
        light.energy = np.pi**2 * strength * far**2
        holder = self._add("lamp", light)
        holder.location = tuple(float(v) for v in toward * far)
        holder.rotation_euler = Vector(toward.tolist()).to_track_quat("Z", "X").to_euler()

    def _plane(self, corners: Floats, texture: Floats, material: Any) -> None:
        mesh = self.bpy.data.meshes.new("plane")
        mesh.from_pydata([tuple(float(v) for v in c) for c in corners], [], [tuple(range(len(corners)))])
        layer = mesh.uv_layers.new(name="uv")
        layer.data.foreach_set("uv", np.asarray(texture, np.float32).ravel())
        mesh.materials.append(material)
        self._add("plane", mesh)

    def _covered(self, surface: Surface) -> Any:
        material, tree, shader = self._material()
        pixels = (surface.picture[..., ::-1].astype(np.float32) / 255) ** 2.2
        node = self._painted(tree, pixels, "REPEAT")
        tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
        shader.inputs["Roughness"].default_value = 0.9 - 0.75 * min(1.0, surface.gloss)
        shader.inputs["Specular IOR Level"].default_value = 0.5 if surface.gloss else 0.1
        bump = tree.nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value = 0.15
        tree.links.new(node.outputs["Color"], bump.inputs["Height"])
        tree.links.new(bump.outputs["Normal"], shader.inputs["Normal"])
        return material

    def _sheet(self, surface: Surface, half: tuple[float, float], degrees: float, level: float) -> None:
        a = np.radians(degrees)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ turn.T
        corners = np.concatenate([flat, np.full((4, 1), level)], 1)
        self._plane(corners, flat / surface.span * (1, -1), self._covered(surface))

    def _table(self) -> None:
        scene, tray = self.scene, self.scene.tray
        if tray is None:
            self._sheet(scene.surface, (_FAR, _FAR), 0.0, 0.0)
            return
        self._sheet(scene.surface, tray.half, tray.degrees, 0.0)
        self._sheet(tray.around, (_FAR, _FAR), 0.0, -1.0)
        material, _, shader = self._material()
        shader.inputs["Base Color"].default_value = (*(float(c) ** 2.2 for c in tray.wall), 1.0)
        shader.inputs["Roughness"].default_value = 0.5
        a = np.radians(tray.degrees)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        inner = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * tray.half
        outer = inner + np.sign(inner) * tray.rim
        for k in range(4):
            ring = np.stack([inner[k], inner[(k + 1) % 4], outer[(k + 1) % 4], outer[k]]) @ turn.T
            self._block(ring, -1.0, tray.high, material)

    def _block(self, ring: Floats, low: float, high: float, material: Any) -> None:
        points = [(float(x), float(y), z) for z in (low, high) for x, y in ring]
        faces = [(0, 1, 2, 3), (4, 5, 6, 7), *((k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4) for k in range(4))]
        mesh = self.bpy.data.meshes.new("block")
        mesh.from_pydata(points, [], faces)
        mesh.materials.append(material)
        self._add("block", mesh)

    def _thing(self, thing: Thing) -> None:
        a = np.radians(thing.degrees)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        w, d = thing.size[0] / 2, thing.size[1] / 2
        flat = np.array([[-w, d], [w, d], [w, -d], [-w, -d]]) @ turn.T + thing.centre
        corners = np.concatenate([flat, np.full((4, 1), max(thing.thick, 0.1))], 1)
        material, tree, shader = self._material()
        pixels = thing.sprite.astype(np.float32) / 255
        full = np.concatenate([pixels[..., 2::-1] ** 2.2, pixels[..., 3:]], 2)
        node = self._painted(tree, full)
        tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
        tree.links.new(node.outputs["Alpha"], shader.inputs["Alpha"])
        shader.inputs["Roughness"].default_value = float(self.rng.uniform(0.15, 0.9))
        self._plane(corners, np.array([[0, 1], [1, 1], [1, 0], [0, 0]]), material)

    def _die(self, die: Placed, made: dict[tuple[str, Look, str, int], Any]) -> None:
        from mathutils import Matrix

        points, normals, sides, texture = cube(die.look)
        mesh = self.bpy.data.meshes.new("die")
        faces = np.arange(len(points)).reshape(-1, 4)
        mesh.from_pydata(points.tolist(), [], faces.tolist())
        layer = mesh.uv_layers.new(name="uv")
        layer.data.foreach_set("uv", texture.astype(np.float32).ravel())
        for side in range(6):
            key = (die.kind, die.look, die.side_face(side), side)
            if key not in made:
                made[key] = self._skin(die, side)
            mesh.materials.append(made[key])
        mesh.polygons.foreach_set("material_index", sides.astype(np.int32))
        mesh.polygons.foreach_set("use_smooth", np.ones(len(faces), bool))
        mesh.normals_split_custom_set(normals.tolist())
        place = np.eye(4)
        place[:3, :3] = die.rotation * die.size / 2
        place[:3, 3] = die.position
        self._add("die", mesh).matrix_world = Matrix(place.astype(float).tolist())

    def _skin(self, die: Placed, side: int) -> Any:
        """The material of one side of a die."""
        look = die.look
        level = drawn(look, die.side_face(side), side).levels[0]
        material, tree, shader = self._material()
        paint = np.ascontiguousarray(np.clip(level[..., 2::-1], 0, 1))
        body = np.array(look.body, np.float32) ** 2.2
        inked = (np.abs(paint - body).sum(2, keepdims=True) > 0.12).astype(np.float32)
        node = self._painted(tree, paint)
        tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
        rough = float(np.clip(np.sqrt(1.4 * look.roughness) * self.sheen, 0.02, 1.0))
        spread = rough + inked * look.matte * max(0.0, 0.8 - rough)
        mask = np.concatenate([spread, inked, look.glass * (1 - inked)], 2)
        masks = tree.nodes.new("ShaderNodeSeparateColor")
        tree.links.new(self._painted(tree, mask).outputs["Color"], masks.inputs["Color"])
        tree.links.new(masks.outputs["Red"], shader.inputs["Roughness"])
        shader.inputs["Specular IOR Level"].default_value = 0.15 + 0.5 * look.gloss
        if look.glass:
            tree.links.new(masks.outputs["Blue"], shader.inputs["Transmission Weight"])
        elif self.metal and die.kind == "pip":
            shader.inputs["Metallic"].default_value = 1.0
        elif look.gloss > 0.3:
            shader.inputs["Coat Weight"].default_value = self.coat
        self._dented(tree, shader, level, look)
        return material

    def _dented(self, tree: Any, shader: Any, level: Floats, look: Look) -> None:
        last = None
        if look.depth:
            bent = np.stack([level[..., 3], -level[..., 4], np.ones(level.shape[:2])], -1)
            bent /= np.linalg.norm(bent, axis=2, keepdims=True)
            last = tree.nodes.new("ShaderNodeNormalMap")
            last.uv_map = "uv"
            slopes = self._painted(tree, (bent / 2 + 0.5).astype(np.float32))
            tree.links.new(slopes.outputs["Color"], last.inputs["Color"])
        if look.bump:
            noise = tree.nodes.new("ShaderNodeTexNoise")
            noise.inputs["Scale"].default_value = self.specks
            bump = tree.nodes.new("ShaderNodeBump")
            bump.inputs["Strength"].default_value = 1.0
            bump.inputs["Distance"].default_value = (
                6 * look.bump / self.specks
            )  # slopes of about a fifth of `bump`
            tree.links.new(noise.outputs["Fac"], bump.inputs["Height"])
            if last is not None:
                tree.links.new(last.outputs["Normal"], bump.inputs["Normal"])
            last = bump
        if last is not None:
            tree.links.new(last.outputs["Normal"], shader.inputs["Normal"])


def cube(look: Look) -> tuple[Floats, Floats, NDArray[np.intp], Floats]:
    """A rounded, maybe ball-cut cube of half edge 1 as separate squares: corners (4 n, 3), their normals, the
    side of each square (n), and where each corner lies in the picture of its side (4 n, 2)."""
    ticks = np.tanh(np.linspace(-1.6, 1.6, _GRID + 1)) / np.tanh(1.6)  # finer towards the edges
    across, along = np.meshgrid(ticks, ticks)
    points, sides = [], []
    for side, (normal, right, down) in enumerate(SIDES):
        grid = normal + across[..., None] * right + along[..., None] * down
        squares = np.stack([grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:], grid[:-1, :-1]], 2)
        points.append(squares.reshape(-1, 3))
        sides += [side] * (_GRID * _GRID)
    flat, of = np.concatenate(points), np.array(sides)
    inner = np.clip(flat, look.roundness - 1, 1 - look.roundness)
    way = flat - inner
    normals = way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-6)
    round_ = inner + normals * look.roundness
    if look.ball:
        reach = np.linalg.norm(round_, axis=1, keepdims=True)
        out = reach > look.ball
        round_ = np.where(out, round_ / reach * look.ball, round_)
        normals = np.where(out, round_ / np.linalg.norm(round_, axis=1, keepdims=True), normals)
    corner_of = np.repeat(of, 4)
    u = (round_ * SIDES[corner_of, 1]).sum(1) / 2 + 0.5
    v = 0.5 - (round_ * SIDES[corner_of, 2]).sum(1) / 2
    return round_, normals, of, np.stack([u, v], 1)
