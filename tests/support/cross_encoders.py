"""A tiny cross-encoder, trained here on toy pairs, in a process of its own: torch stays out of the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_TRAINING = """
import sys
import warnings
from pathlib import Path
warnings.simplefilter("ignore")
import torch
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification
from core.encode.identity import find_model

torch.manual_seed(3)
torch.set_num_threads(1)
tokenizer = AutoTokenizer.from_pretrained(find_model("minilm"), local_files_only=True)
config = BertConfig(vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
                    intermediate_size=64, max_position_embeddings=128, num_labels=1,
                    hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
model = BertForSequenceClassification(config)
colours = ("red", "blue", "green", "white")
pairs = [(f"Which wall is {a}?", f"The wall is {b}.", float(a == b)) for a in colours for b in colours]
batch = tokenizer([a for a, _, _ in pairs], [b for _, b, _ in pairs], padding=True, return_tensors="pt")
wanted = torch.tensor([label for _, _, label in pairs])
optimiser = torch.optim.AdamW(model.parameters(), lr=5e-3)
model.train()
for _ in range(400):
    optimiser.zero_grad()
    logits = model(**batch).logits[:, 0]
    loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, wanted, pos_weight=torch.tensor(3.0))
    loss.backward()
    optimiser.step()
    if loss.item() < 0.02:
        break
model.save_pretrained(sys.argv[1])
tokenizer.save_pretrained(sys.argv[1])
model.config.save_pretrained(sys.argv[2])
tokenizer.save_pretrained(sys.argv[2])

class Logits(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
    def forward(self, input_ids, attention_mask, token_type_ids):
        return self.model(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).logits

from torch.onnx._internal.torchscript_exporter import onnx_proto_utils
onnx_proto_utils._add_onnxscript_fn = lambda written, _: written  # else it wants the package onnx
names = ["input_ids", "attention_mask", "token_type_ids"]
model.eval()
given = tuple(batch[name] for name in names)
torch.onnx.export(Logits(model), given, Path(sys.argv[2]) / "model.onnx", dynamo=False, input_names=names,
                  output_names=["logits"], dynamic_axes={name: {0: "texts", 1: "tokens"} for name in names})
"""


def trained(folder: Path) -> tuple[Path, Path]:
    """The folder with the model, which prefers a sentence that names the colour that is asked for.

    Beside it one with the same as a model.onnx, without the weights that torch reads.
    """
    own, made = folder / "colours", folder / "onnx"
    own.mkdir()
    made.mkdir()
    command = [sys.executable, "-c", _TRAINING, str(own), str(made)]
    subprocess.run(command, check=True, timeout=300)
    return own, made
