"""Every line of the README's table of promises is backed by tests."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT

TABLE = re.compile(r"^\| limits, writing, status \| \|\n\|---\|---\|\n((?:\|.*\|\n)+)", re.MULTILINE)

PROMISES = {
    "kind of file": [
        "storage/test_reading.py::test_a_fifo_is_refused_by_name",
        "storage/test_reading.py::test_a_device_is_refused",
        "storage/test_reading.py::test_a_socket_is_refused",
        "storage/test_reading.py::test_a_fifo_in_the_search_path_is_passed_by",
        "commands/test_cli.py::test_a_fifo_as_a_camera_file_is_status_1",
        "meta/test_file_access.py::test_files_are_read_through_the_gate",
    ],
    "size of a file": [
        "storage/test_reading.py::test_a_file_over_the_limit_is_refused_at_once",
        "commands/test_cli.py::test_max_size_is_of_one_command",
    ],
    "first bytes": ["storage/test_reading.py::test_the_beginning_is_tested_before_the_rest_is_read"],
    "package": [
        "commands/test_package.py::test_files_that_share_bytes_are_not_extracted_beyond_the_limit",
        "commands/test_package.py::test_max_size_bounds_a_file_inside_a_package_too",
    ],
    "particles": ["render/effects/test_quads.py::test_particles_as_large_as_the_picture_are_bounded"],
    "loading": [
        "app/test_loader.py::test_a_cancelled_file_holds_up_nothing",
        "app/test_loader.py::test_closing_waits_for_no_file",
        "commands/test_cli.py::test_the_process_ends_while_a_file_is_read",
    ],
    "output": [
        "storage/test_writing.py::test_a_full_disk_leaves_nothing",
        "storage/test_writing.py::test_what_fails_leaves_nothing",
        "storage/test_writing.py::test_an_earlier_file_stays_until_then",
        "commands/test_bake.py::test_a_full_disk_leaves_the_earlier_file",
        "meta/test_file_access.py::test_files_are_written_through_the_gate",
    ],
    "input": [
        "commands/test_bake.py::test_what_is_read_is_not_written",
        "commands/test_frames.py::test_a_file_that_is_read_is_not_written",
        "commands/test_package.py::test_a_package_does_not_replace_itself",
    ],
    "link": [
        "commands/test_bake.py::test_a_link_stays_and_its_file_is_written",
        "commands/test_frames.py::test_a_film_replaces_the_file_that_a_link_leads_to",
    ],
    "earlier file": [
        "commands/test_bake.py::test_an_earlier_file_is_replaced_and_told",
        "commands/test_frames.py::test_pictures_that_are_replaced_are_counted",
        "commands/test_package.py::test_nothing_is_replaced_without_force",
        "commands/test_model_batch.py::test_nothing_is_replaced_without_force",
    ],
    "many files": [
        "commands/test_model_batch.py::test_a_bad_file_ends_no_other",
        "library/test_worker_pool.py::test_a_file_that_hangs_has_an_error_and_the_others_go_on",
        "library/test_worker_pool.py::test_a_file_that_takes_no_notice_is_ended",
        "library/test_worker_pool.py::test_a_file_that_grows_has_an_error",
        "library/test_worker_pool.py::test_a_file_that_kills_has_an_error_and_the_others_go_on",
    ],
    "going on": [
        "commands/test_model_batch.py::test_ctrl_c_on_the_terminal_is_one_line_and_the_batch_goes_on",
        "library/test_journal.py::test_what_is_done_is_known_to_the_next_batch",
    ],
    "index": [
        "library/test_index_update.py::test_a_damaged_index_is_set_aside_and_made_again",
        "library/test_index_update.py::test_a_full_disk_loses_nothing",
        "library/test_index_update.py::test_two_programs_at_once_are_safe",
        "commands/test_find.py::test_a_cache_that_cannot_be_made_is_done_without",
    ],
    "settings": [
        "session/test_settings.py::test_windows_that_write_at_once_lose_nothing",
        "ui/test_workspace.py::test_two_windows_share_their_recent_files",
    ],
    "status 0": ["commands/test_cli.py::test_info_text"],
    "status 1": [
        "commands/test_cli.py::test_a_file_that_is_not_there_is_status_1",
        "commands/test_cli.py::test_a_file_that_breaks_off_is_shown_and_status_1",
        "commands/test_cli.py::test_too_little_memory_is_one_line_and_status_1",
    ],
    "status 2": [
        "commands/test_cli.py::test_bad_usage_is_status_2",
        "commands/test_cli.py::test_a_closed_stream_is_one_line_and_a_status",
    ],
    "status 3": ["commands/test_cli.py::test_a_picture_beyond_the_driver_is_one_line_and_status_3"],
    "status 130": [
        "commands/test_model_batch.py::test_ctrl_c_on_the_terminal_is_one_line_and_the_batch_goes_on"
    ],
}


def test_the_table_has_these_lines() -> None:
    (table,) = TABLE.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert [line.split("|")[1].strip() for line in table.splitlines()] == list(PROMISES)


@pytest.mark.parametrize("test", [test for tests in PROMISES.values() for test in tests])
def test_what_backs_a_line_is_there(test: str) -> None:
    file, _, name = test.partition("::")
    assert re.search(rf"^def {name}\(", (ROOT / "tests" / file).read_text(encoding="utf-8"), re.MULTILINE)
