"""`weave-tui init`: what to add to a shell's or tmux's configuration so that one key picks a skill."""

from __future__ import annotations

import argparse

from weave_tui.cli.common import ANSWERED, say

BASH = r"""# weave-tui: Ctrl+X w picks skills for the command line and puts their invocation there.
__weave_tui_widget() {
  local choice
  if choice=$(weave-tui --pick --print invocation --query "$READLINE_LINE"); then
    READLINE_LINE=$choice
    READLINE_POINT=${#READLINE_LINE}
  fi
}
bind -x '"\C-xw": __weave_tui_widget'
"""

ZSH = r"""# weave-tui: Ctrl+X w picks skills for the command line and puts their invocation there.
weave-tui-widget() {
  local choice
  if choice=$(weave-tui --pick --print invocation --query "$BUFFER" </dev/tty); then
    BUFFER=$choice
    CURSOR=${#BUFFER}
  fi
  zle reset-prompt
}
zle -N weave-tui-widget
bindkey '^Xw' weave-tui-widget
"""

FISH = r"""# weave-tui: Ctrl+X w picks skills for the command line and puts their invocation there.
function __weave_tui_widget
    if set -l choice (weave-tui --pick --print invocation --query (commandline | string collect) | string collect)
        commandline --replace -- $choice
    end
    commandline --function repaint
end
bind \cxw __weave_tui_widget
"""

_POPUP = (
    'prompt=$(weave-tui --pick) && printf %s "$prompt" | tmux load-buffer -b weave-tui - '
    "&& tmux paste-buffer -pdb weave-tui"
)
TMUX = f"""# weave-tui: prefix W picks skills in a popup and pastes the prompt into the pane below, without Enter.
bind-key W display-popup -E -w 90% -h 90% -d '#{{pane_current_path}}' \\
  '{_POPUP}'
"""

SCRIPTS = {"bash": BASH, "fish": FISH, "tmux": TMUX, "zsh": ZSH}

WHERE = {
    "bash": 'eval "$(weave-tui init bash)"    in ~/.bashrc',
    "fish": "weave-tui init fish | source      in ~/.config/fish/config.fish",
    "tmux": "weave-tui init tmux >> ~/.tmux.conf",
    "zsh": 'eval "$(weave-tui init zsh)"     in ~/.zshrc',
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("program", choices=sorted(SCRIPTS), help="what the lines are for")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join(["use it so:", *(f"  {line}" for line in WHERE.values())])


def run(arguments: argparse.Namespace) -> int:
    say(SCRIPTS[arguments.program].rstrip("\n"))
    return ANSWERED
