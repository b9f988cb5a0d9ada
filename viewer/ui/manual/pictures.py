"""The pictures of the manual's pages as textures."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui, rich_md
from msgspec import Struct

from viewer.errors import ViewerError
from viewer.session.manual import picture

MARGIN = 1.5
"""The ratio of a picture's stored width to the panel's width. The stored picture is wider, because the panel
may become wider.
"""


class Stored(Struct):
    """A texture, the largest panel width in points for which it has enough pixels, and the number of the
    last frame that drew it.
    """

    texture: imgui.ImTextureData | None
    width: float
    frame: int = 0


class PagePictures:
    """Makes a texture of each picture when the picture is first drawn.

    ImGui's backend uploads the texture with the frame. If the panel becomes wider, a larger texture replaces
    the texture. A replaced texture, and the texture of a picture that is no longer drawn, stays in memory
    until the backend has deleted it, because ImGui writes into registered textures in each frame.
    """

    def __init__(self) -> None:
        self._stored: dict[str, Stored] = {}
        self._deleted: list[imgui.ImTextureData] = []

    def get(self, name: str) -> rich_md.MarkdownImage | None:
        """The picture at this path in the manual, stored as wide as the panel needs; None if it cannot be
        read.
        """
        room = imgui.get_content_region_avail().x
        stored = self._stored.get(name)
        if stored is None or stored.width < room:
            self._delete(name)
            stored = self._stored[name] = Stored(_texture(name, room * MARGIN), room * MARGIN)
        stored.frame = imgui.get_frame_count()
        texture = stored.texture
        if texture is None or not texture.get_tex_id():
            return None
        texture.destroy_pixels()
        shown = rich_md.MarkdownImage()
        width = min(room, texture.width)
        shown.texture_id = texture.get_tex_id()
        shown.size = ImVec2(width, texture.height * width / texture.width)
        shown.uv0, shown.uv1 = ImVec2(0, 0), ImVec2(1, 1)
        return shown

    def end_page(self) -> None:
        """Delete the textures of pictures that this frame did not draw."""
        frame = imgui.get_frame_count()
        for name in [name for name, stored in self._stored.items() if stored.frame < frame]:
            self._delete(name)
        for texture in [*self._deleted]:
            if texture.status == imgui.ImTextureStatus.destroyed:
                imgui.internal.unregister_user_texture(texture)
                self._deleted.remove(texture)

    def _delete(self, name: str) -> None:
        """Ask the backend to delete a picture's texture."""
        stored = self._stored.pop(name, None)
        if stored is not None and stored.texture is not None:
            stored.texture.want_destroy_next_frame = True  # else ImGui creates a destroyed texture again
            stored.texture.status = imgui.ImTextureStatus.want_destroy
            self._deleted.append(stored.texture)


def _texture(name: str, side: float) -> imgui.ImTextureData | None:
    try:
        pixels = picture(name, round(side)).levels[0]
    except ViewerError:
        return None
    texture = imgui.ImTextureData()
    texture.create(imgui.ImTextureFormat.rgba32, pixels.shape[1], pixels.shape[0])
    texture.get_pixels_array()[:] = pixels.reshape(-1)
    imgui.internal.register_user_texture(texture)
    return texture
