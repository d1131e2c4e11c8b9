"""The games in Kaggle's game arena (the package ``kaggle-environments``, which wraps games of OpenSpiel).

    from kaggle_environments import make
    import ziggurat.rl.kaggle.env

    env = make("open_spiel_python_ziggurat_alhambra")
    env.run(["random", "random", "random"])

``states`` holds what their program plays, a game of OpenSpiel whose observations are JSON; ``harness`` the three
functions by which a language model plays; ``env`` the registration. docs/kaggle.md tells what an agent is sent.
``python -m ziggurat.rl.kaggle FOLDER`` writes what a pull request needs into a checkout of their repository.
"""
