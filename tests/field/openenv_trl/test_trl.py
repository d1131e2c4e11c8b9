"""TRL trains a model by games at our server, on a processor and without a network.

No model is fetched: a tiny one of the Qwen3 kind is made here, with a vocabulary of its own in which a whole call of
the tool is one word. It first learns to call the tool at all, with any number; then TRL's GRPO goes on, by our rewards.
PyTorch without CUDA, where `UV_TORCH_BACKEND=cpu` or wheels at hand (`UV_FIND_LINKS`) give it.
"""

from __future__ import annotations

import json
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import torch
import trl
from tokenizers import Tokenizer
from tokenizers.decoders import ByteLevel as ByteDecoder
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.trainers import BpeTrainer
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig

import ziggurat
from ziggurat.rl.openenv import ToolEnvironment

pytestmark = pytest.mark.timeout(1800)
ROOT = Path(__file__).parents[3]
GAME = min(ziggurat.registered_games().values(), key=lambda game: game.longest(max(2, game.min_players)))
PLAYERS = max(2, GAME.min_players)
STARTED = 300.0
STEPS = 2
NUMBERS = 12
"""The model knows so many answers: the numbers from 0, many of them illegal most of the time."""
CALL = '<tool_call>\n{{"name": "play", "arguments": {{"action": "{}"}}}}\n</tool_call>'
ROWS = [
    {"prompt": [{"role": "user", "content": "Play this game with the tool `play`."}], "seed": one} for one in range(8)
]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, "-m", "ziggurat.rl.openenv", "--port", str(port)]) as server:
        try:
            until = time.monotonic() + STARTED
            while True:
                assert server.poll() is None
                assert time.monotonic() < until
                try:
                    requests.get(f"http://127.0.0.1:{port}/health", timeout=5)
                    break
                except requests.RequestException:
                    time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def tokenizer(url: str) -> Any:
    """Learned from what a game says, and with TRL's own template of Qwen3."""
    environment = ToolEnvironment(url, game=GAME.id, players=PLAYERS, opponents="random")
    said = environment.reset(seed=1)
    environment._close()
    made = Tokenizer(BPE(unk_token="<unk>"))
    made.pre_tokenizer, made.decoder = ByteLevel(add_prefix_space=False), ByteDecoder()
    special = ["<unk>", "<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    trainer = BpeTrainer(
        vocab_size=600, special_tokens=special, initial_alphabet=ByteLevel.alphabet(), show_progress=False
    )
    made.train_from_iterator([said] * 3, trainer)
    found = PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>", unk_token="<unk>", padding_side="left"
    )
    found.add_tokens([CALL.format(number) for number in range(NUMBERS)])
    found.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text(encoding="utf-8")
    return found


@pytest.fixture
def model(tokenizer: Any) -> Any:
    """Two small layers that have learnt nothing but to call the tool, with any number."""
    torch.manual_seed(1)
    config = Qwen3Config(
        vocab_size=len(tokenizer), hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, head_dim=16, max_position_embeddings=16_384, tie_word_embeddings=False,
        use_sliding_window=True, sliding_window=16, max_window_layers=0,  # so that long prompts are as short ones
        bos_token_id=None, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    made, chance = Qwen3ForCausalLM(config), random.Random(1)
    optimizer = torch.optim.AdamW(made.parameters(), lr=3e-3)
    before = tokenizer("<|im_start|>assistant\n", add_special_tokens=False).input_ids
    for _ in range(150):
        noise = [[chance.randrange(len(tokenizer)) for _ in range(24)] for _ in range(16)]
        ends = [tokenizer(CALL.format(chance.randrange(NUMBERS)), add_special_tokens=False).input_ids for _ in noise]
        assert all(len(end) == 1 for end in ends)
        rows = torch.tensor(
            [[*one, *before, *end, tokenizer.eos_token_id] for one, end in zip(noise, ends, strict=True)]
        )
        labels = rows.clone()
        labels[:, :-2] = -100
        made(input_ids=rows, labels=labels).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return made


def arguments(folder: Path) -> GRPOConfig:
    return GRPOConfig(
        output_dir=str(folder), use_cpu=True, bf16=False, max_steps=STEPS,
        per_device_train_batch_size=4, num_generations=4,
        max_completion_length=2000, max_tool_calling_iterations=1, logging_steps=1, report_to="none",
        save_strategy="no", learning_rate=1e-3, disable_tqdm=True, gradient_checkpointing=False,
    )  # fmt: skip


def test_grpo_trains_as_our_page_shows(url: str, tokenizer: Any, model: Any, tmp_path: Path) -> None:
    """With a small model in place of the one that it names: the tool is called, rewards are logged, weights change."""
    before = {name: value.clone() for name, value in model.state_dict().items()}
    page = (ROOT / "docs" / "openenv.md").read_text(encoding="utf-8")
    [block] = [one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "GRPOTrainer" in one]
    for shown, here in (
        ('model="Qwen/Qwen3-1.7B"', "model=model, processing_class=tokenizer"),
        ("GRPOConfig(max_completion_length=16_000, num_generations=8)", "arguments"),
        ("http://localhost:8000", url),
        ('players=2, opponents="apprentice", rules=True', f'game="{GAME.id}", players={PLAYERS}, opponents="random"'),
    ):
        assert shown in block
        block = block.replace(shown, here)
    there = {"model": model, "tokenizer": tokenizer, "arguments": arguments(tmp_path)}
    exec(block, there)
    logged = [one for one in there["trainer"].state.log_history if any("reward" in name for name in one)]
    print(json.dumps(logged, indent=1))
    assert len(logged) == STEPS
    assert all(one["tools/call_frequency"] > 0 for one in logged)
    assert any(one["rewards/legality/mean"] > 0 for one in logged)
    assert any((value != before[name]).any() for name, value in model.state_dict().items())
