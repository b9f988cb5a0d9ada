"""Tests mirror the tree: the test of `viewer/a/b.py` is `tests/a/test_b.py`, or TESTED_BY names it."""

from __future__ import annotations

from pathlib import Path

from tests.meta.modules import PACKAGE

TESTS = Path(__file__).resolve().parents[1]
TESTED_BY = {
    "app/test_exporting.py": ["export/model_file"],
    "ui/dialogs/test_export_dialog.py": ["scene/export_choices"],
    "actions/test_actions.py": [
        "actions/action",
        "actions/camera",
        "actions/compare",
        "actions/display",
        "actions/files",
        "actions/help",
        "actions/edit",
        "actions/record",
        "actions/timeline",
        "actions/window",
        "session/requests",
    ],
    "ui/files/test_files_panel.py": [
        "ui/files/choosing",
        "ui/files/file_hint",
        "ui/files/file_rows",
        "ui/files/file_texts",
        "ui/files/header",
        "ui/files/typing",
        "ui/kit/tree_keys",
    ],
    "ui/files/test_wall.py": ["ui/files/tiles"],
    "app/test_difference_search.py": ["session/comparison_result"],
    "ui/view/test_comparing.py": ["ui/view/distance_legend"],
    "app/test_file_library.py": ["app/file_index", "app/file_scan", "app/place_watch"],
    "app/test_file_thumbnails.py": ["app/file_textures", "app/picture_store", "app/work_thread"],
    "actions/test_playback.py": ["scene/timeline"],
    "check/test_checking.py": ["check/subject"],
    "commands/findings/test_text.py": ["commands/findings/report"],
    "check/test_influences.py": ["check/assignments"],
    "check/test_keys.py": ["check/clip"],
    "check/test_rules.py": ["check/rule"],
    "check/test_skeleton.py": ["check/binding", "check/bones"],
    "animation/test_chain.py": ["animation/track_sampling"],
    "animation/test_pose.py": ["animation/separate_scale"],
    "animation/test_visibility.py": ["animation/effects/visible_times"],
    "app/test_background_output.py": ["app/recording"],
    "app/test_files.py": [
        "app/file_chooser",
        "app/folders",
        "app/neighbour_files",
        "app/transfer_view",
        "session/pending_files",
    ],
    "app/test_framing.py": ["render/item_points"],
    "app/test_hover.py": ["app/model_view", "scene/view_info"],
    "app/test_loop.py": ["app/screenshot", "app/settings_sync", "app/viewport"],
    "app/test_packages.py": ["app/verification"],
    "app/test_watch.py": ["app/hot_reload"],
    "binary/test_chunk_table.py": ["binary/found_chunks", "binary/reading"],
    "binary/test_chunks.py": ["binary/chunk"],
    "binary/test_hexpat.py": ["binary/hexpat_language"],
    "binary/test_record.py": ["binary/counts", "binary/fields"],
    "binary/test_span.py": ["binary/array_spans"],
    "commands/test_arguments.py": ["commands/option_groups", "commands/options"],
    "commands/test_model_batch.py": ["commands/model_task"],
    "commands/test_thumbs.py": ["commands/thumbs_batch"],
    "commands/test_cli.py": [
        "__main__",
        "commands/dispatch",
        "commands/importing",
        "commands/usage",
        "commands/verbs",
    ],
    "commands/test_info.py": [
        "commands/part_lines",
        "commands/parts",
        "commands/summary",
    ],
    "commands/test_package.py": ["commands/extract"],
    "commands/test_picture.py": ["commands/one_output", "commands/panels"],
    "export/gltf/test_materials.py": ["export/gltf/images"],
    "export/gltf/test_model.py": [
        "export/gltf/axes",
        "export/gltf/clips",
        "export/gltf/container",
        "export/gltf/export",
        "export/gltf/joints",
        "export/gltf/options",
        "export/gltf/sampled",
        "export/gltf/targets",
        "export/gltf/tracks",
    ],
    "export/test_posed_mesh.py": ["export/ply"],
    "export/test_film.py": ["export/codecs", "export/encoder", "export/encoding", "export/passes"],
    "formats/blp/test_load.py": ["formats/blp/layout", "formats/blp/levels"],
    "formats/d3d9/test_program.py": [
        "formats/d3d9/compiled",
        "formats/d3d9/constant_table",
        "formats/d3d9/opcodes",
        "formats/d3d9/operands",
        "formats/disassembly",
    ],
    "formats/dxbc/test_container.py": ["formats/dxbc/checksum", "formats/dxbc/signature"],
    "formats/dxbc/test_program.py": [
        "formats/dxbc/declarations",
        "formats/dxbc/opcodes",
        "formats/dxbc/operands",
    ],
    "formats/m2/test_emitters.py": [
        "animation/effects/approximations",
        "formats/m2/curves",
        "formats/m2/particle_layout",
        "scene/emitter",
    ],
    "formats/m2/test_load.py": [
        "formats/m2/chunk_tree",
        "formats/m2/geosets",
        "formats/m2/header_layout",
        "formats/m2/names",
        "formats/m2/record",
        "formats/m2/records",
        "formats/m2/references",
        "formats/m2/sequences",
        "formats/m2/skel",
        "formats/m2/skeleton",
        "formats/m2/tree",
        "formats/m2/views",
        "formats/m2/writer",
    ],
    "formats/m2/test_materials.py": ["formats/m2/motion"],
    "formats/m2/test_named_models.py": ["scene/reference"],
    "formats/m2/test_ribbons.py": ["scene/ribbon"],
    "formats/ogre/test_damage.py": ["formats/ogre/load"],
    "formats/ogre/test_links.py": ["formats/ogre/linked_skeletons"],
    "formats/test_specifications.py": ["binary/specification", "formats/m2/specification"],
    "formats/test_registry.py": ["formats/m2/probe", "formats/ogre/probe", "formats/urho3d/probe"],
    "formats/ogre/test_mesh_layout.py": ["formats/ogre/edges_layout"],
    "formats/ogre/test_lods.py": ["formats/ogre/extras_layout", "formats/ogre/manual_lods"],
    "formats/ogre/test_materials.py": [
        "formats/ogre/resources",
        "formats/ogre/textures",
    ],
    "formats/ogre/test_mesh.py": [
        "formats/ogre/elements",
        "formats/ogre/geometry",
        "formats/ogre/geometry_layout",
        "formats/ogre/versions",
    ],
    "formats/ogre/test_render_pass.py": ["formats/ogre/texture_unit"],
    "formats/ogre/test_skeleton.py": ["formats/ogre/keys"],
    "formats/urho3d/package/test_damage.py": [
        "formats/urho3d/package/extents",
        "formats/urho3d/package/files",
    ],
    "formats/urho3d/package/test_load.py": [
        "formats/urho3d/package/layout",
        "formats/urho3d/package/probe",
        "formats/urho3d/package/source",
        "formats/urho3d/package/tree",
        "formats/urho3d/package/writer",
        "scene/package",
    ],
    "formats/urho3d/test_assignment.py": ["formats/urho3d/prefab", "formats/urho3d/values"],
    "formats/urho3d/test_materials.py": ["formats/urho3d/material_text"],
    "formats/urho3d/test_script.py": ["formats/urho3d/literals", "formats/urho3d/script_layout"],
    "formats/urho3d/test_shader.py": ["formats/urho3d/compiled", "formats/urho3d/shader_parameters"],
    "gpu/test_pipeline.py": ["gpu/bindings", "gpu/capture"],
    "gpu/test_shader.py": ["gpu/program"],
    "gpu/test_upload.py": ["gpu/drawable", "gpu/interrupt"],
    "library/test_cluster.py": ["library/cluster_worker"],
    "library/test_facts.py": ["scene/file_entry"],
    "library/test_index.py": [
        "library/index_columns",
        "library/entry_table",
        "library/index_rows",
        "library/place_ranges",
        "library/query_found",
        "library/query_sql",
    ],
    "library/test_index_update.py": [
        "library/index_connection",
        "library/index_schema",
        "library/index_task",
        "library/index_writing",
    ],
    "library/test_query.py": ["library/conditions", "library/query_terms"],
    "library/test_worker_pool.py": ["library/messages", "library/worker_main", "library/worker_process"],
    "meta/test_readme.py": ["commands/listings"],
    "meta/test_wheel.py": ["paths"],
    "render/effects/test_carried_resources.py": ["render/effects/carrier_state"],
    "render/effects/test_particles.py": [
        "render/effects/effect_pass",
        "render/effects/emitter_block",
        "render/effects/emitter_buffers",
        "render/effects/emitter_resources",
        "render/effects/particle_rows",
        "render/view_parameters",
    ],
    "render/effects/test_quads.py": ["render/effects/overdraw"],
    "render/effects/test_seamless.py": ["render/effects/particle_capture"],
    "render/test_bake.py": ["render/deform"],
    "render/test_grid.py": ["render/axes"],
    "render/test_mesh.py": ["render/geometry_resources", "render/mesh_resources"],
    "render/test_points.py": ["render/segments"],
    "render/test_renderer.py": ["render/statistics", "scene/shading"],
    "render/test_renderer_aids.py": ["render/normals"],
    "render/test_shader_constants.py": [
        "animation/effects/motion_limits",
        "animation/effects/table_sizes",
        "render/effects/emitter_constants",
    ],
    "render/test_vertex_animation.py": ["render/shapes"],
    "scene/test_camera.py": ["scene/named_views"],
    "scene/test_effects.py": ["scene/display"],
    "scene/test_image_quad.py": ["scene/material"],
    "scene/test_markers.py": ["scene/attachments"],
    "scene/test_maths.py": ["arrays"],
    "scene/test_primitives.py": ["scene/model"],
    "scene/test_registers.py": ["scene/listing"],
    "scene/test_upright.py": ["scene/up_axis"],
    "session/test_state.py": ["scene/selection", "session/clips", "session/owner", "session/playback"],
    "session/test_undo.py": ["session/step_names", "session/undoable"],
    "storage/test_image.py": ["storage/dds"],
    "ui/bytes/test_byte_selection.py": ["ui/bytes/hex_grid"],
    "ui/bytes/test_bytes_panel.py": ["ui/bytes/hex_page", "ui/bytes/hex_scrollbar", "ui/bytes/hex_view"],
    "ui/bytes/test_data_inspector.py": ["ui/bytes/panel_layout"],
    "ui/bytes/test_reference_menu.py": ["ui/bytes/chunk_tree"],
    "ui/bytes/test_search.py": ["ui/bytes/copy_text"],
    "ui/compiled/test_script_page.py": ["ui/compiled/entropy_plot"],
    "ui/compiled/test_shader_page.py": [
        "ui/compiled/colors",
        "ui/compiled/disassembly",
        "ui/compiled/parameters",
        "ui/compiled/register_map",
    ],
    "ui/dialogs/test_file_browser.py": ["ui/dialogs/file_dialog"],
    "ui/dialogs/test_palette.py": ["ui/dialogs/key_sheet"],
    "ui/dialogs/test_record_dialog.py": ["scene/film"],
    "ui/outline/test_outline_panel.py": ["ui/kit/widgets", "ui/outline/tree"],
    "ui/panels/test_animations.py": ["ui/panels/animation_details"],
    "ui/panels/test_package_page.py": ["ui/panels/package_rows"],
    "ui/panels/test_package_tree.py": ["ui/kit/folder_tree", "ui/panels/package_cells"],
    "ui/properties/test_effects.py": [
        "ui/properties/effect_plots",
        "ui/properties/effect_switches",
    ],
    "ui/properties/test_page_widgets.py": ["ui/kit/copying"],
    "ui/properties/test_properties_panel.py": [
        "ui/properties/attachments",
        "ui/properties/bone",
        "ui/properties/document",
        "ui/properties/geometry",
        "ui/properties/other_items",
    ],
    "ui/test_panels.py": ["ui/panels/problems", "ui/value_text"],
    "ui/test_visible_names.py": ["ui/kit/visible"],
    "ui/test_workspace.py": [
        "ui/kit/docking",
        "ui/kit/host",
        "ui/kit/tabs",
        "ui/view/frame_statistics",
        "ui/view/loading_overlay",
    ],
    "ui/timeline/test_key_items.py": ["ui/timeline/dope_sheet"],
    "ui/timeline/test_key_marks.py": ["ui/timeline/dope_rows", "ui/timeline/time_scale"],
    "ui/timeline/test_timeline_panel.py": ["ui/timeline/curves", "ui/timeline/header", "ui/timeline/ruler"],
    "ui/timeline/test_transport.py": ["ui/panels/layers"],
    "ui/view/test_view_panel.py": ["ui/view/buttons", "ui/view/mouse", "ui/view/overlays"],
    "window/test_drag_hover.py": ["ui/view/drop_frame"],
    "window/test_end_to_end.py": ["app/trace", "window/pace"],
    "window/test_opening.py": ["window/window_manager"],
    "window/test_window.py": ["window/events"],
}
"""The modules that a test covers besides the module of its own name."""


def own_test(module: str) -> str:
    """The test of a module by its place: `a/b` to `a/test_b.py`."""
    folder, _, name = module.rpartition("/")
    return f"{folder}/test_{name}.py" if folder else f"test_{name}.py"


def all_modules() -> list[str]:
    """Every module without suffix, relative to `viewer/`; packages say nothing but what they hold."""
    paths = (path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")
    return sorted(path.with_suffix("").as_posix() for path in paths)


def test_every_module_has_its_test_where_one_looks_for_it() -> None:
    named = {module for modules in TESTED_BY.values() for module in modules}
    without = [each for each in all_modules() if not (TESTS / own_test(each)).exists() and each not in named]
    assert without == [], "write tests/a/test_b.py for viewer/a/b.py, or name its test in TESTED_BY"


def test_the_table_names_what_is_there_and_nothing_twice() -> None:
    named = [module for modules in TESTED_BY.values() for module in modules]
    assert len(named) == len(set(named))
    assert set(named) <= set(all_modules())
    assert [each for each in named if (TESTS / own_test(each)).exists()] == []
    assert [test for test in TESTED_BY if not (TESTS / test).exists()] == []
