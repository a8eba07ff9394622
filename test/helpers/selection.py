"""
What `make quick` runs: short files of every part, and one node over DDS.

Left out of these files is what takes half a second or more. A new file that takes less than two
seconds belongs here, and so does the test that one would look at first.
"""

QUICK = {
    'batch': ('test_batch.py',),
    'bench': ('test_bench.py',),
    'cli': ('test_cli.py',),
    'collision': (
        'test_broad_phase.py',
        'test_collision_manifolds.py',
        'test_paper_formulas.py',
        'test_proximity.py',
    ),
    'contact': ('test_contact_law.py', 'test_paper_law.py'),
    'examples': ('test_examples.py',),
    'gym': ('test_gym_envs.py::test_a_seed_says_how_all_episodes_go',),
    'joints': ('test_joint_types.py',),
    'kernels': (
        'test_compiled_cache.py',
        'test_kernel_agreement.py',
        'test_kernel_entries.py',
        'test_kernel_fuzz.py::test_quick_200_random_kernels_do_the_same_compiled',
        'test_kernel_keys.py',
        'test_kernel_refusals.py',
        'test_kernels.py',
        'test_kernels_page.py',
        'test_program_json.py',
        'test_tape.py',
    ),
    'model': (
        'test_bad_models.py',
        'test_expressions.py',
        'test_model_building.py',
        'test_model_files.py',
        'test_urdf.py',
        'test_urdf_meshes.py',
    ),
    'recording': ('test_recordings.py::test_a_message_is_read_back_as_it_was_written',),
    'ros': (
        'test_node.py::test_the_ball_falls_and_bounces_as_mechanics_says',
        'test_pacing.py',
        'test_parameters.py',
        'test_ros_entities.py',
        'test_ros_parts.py',
        'test_ros_standard.py',
        'test_ros_steps.py',
        'test_stamps.py',
    ),
    'shapes': ('test_mass_properties.py',),
    'simulation': (
        'test_atomic_files.py',
        'test_scenarios.py',
        'test_sensors.py',
        'test_sensors_noise.py',
        'test_simulation.py',
    ),
    'sweeps': ('test_sweep_points.py',),
    'symbolic': ('test_equations.py', 'test_equations_textbook.py', 'test_geometry.py'),
    'tools': (
        'test_architecture.py',
        'test_architecture_page.py',
        'test_benchmarks_page.py',
        'test_bootstrap.py',
        'test_contributing.py',
        'test_other_processors.py',
        'test_picture_sources.py',
        'test_readme.py',
        'test_selection.py',
        'test_style.py',
    ),
    'web': (
        'test_engine_script.py',
        'test_page_file.py',
        'test_page_scripts.py',
        'test_page_server.py',
    ),
}
LONG = {
    'test_a_quick_run_of_a_study_gives_rows',
    'test_figures_come_out_the_same_from_the_stored_numbers',
    'test_a_double_pendulum_is_that_of_the_textbook',
    'test_a_second_process_imports_no_sympy',
    'test_an_instant_tells_in_arrays_what_a_snapshot_tells_by_name',
    'test_contact_forces_are_those_on_the_second_body',
    'test_distances_to_the_drogue_tell_how_far_off_the_probe_is',
    'test_equal_links_of_points_have_the_modes_of_the_textbook',
    'test_equations_are_printed_in_every_format',
    'test_every_world_is_its_single_run',
    'test_guidance_brings_the_probe_into_the_throat',
    'test_kanes_method_gives_the_same_equations',
    'test_large_models_are_named_steps_and_never_an_endless_expansion',
    'test_linters_are_content',  # ruff is asked before, mypy takes its time
    'test_methods_take_turns',
    'test_no_network',
    'test_only_what_ran_is_told',
    'test_runs_are_bit_identical_here_and_in_other_processes',
    'test_servos_follow_their_targets_and_let_go',
    'test_states_and_symbols_can_be_set_in_mid_run',
    'test_steps_and_formulas_written_out_are_equal',
    'test_steps_that_are_shown_define_all_that_is_shown',
    'test_the_example_of_the_page_runs_and_says_the_truth',
    'test_the_json_has_every_number_of_the_table',
    'test_the_sweep_finds_what_trying_all_pairs_finds_while_boxes_move',
    'test_the_table_has_the_columns_and_methods',
    'test_the_way_of_the_paper_agrees_with_ours_over_the_first_contact',
    'test_vertices_and_poses_may_be_formulas',
    'test_what_is_written_out_is_what_runs',
    'test_worlds_whose_memory_grows_in_the_run_go_on_as_they_are',
}
_PLACES = tuple(f'test/{part}/{name}' for part, names in QUICK.items() for name in names)


def is_quick(nodeid):
    """Return whether a test is part of `make quick`."""
    name = nodeid.rpartition('::')[2].partition('[')[0]
    return nodeid.startswith(_PLACES) and name not in LONG
