// How Kaggle's player shows a step of a replay: what the seats that must decide see, in words, and what was done last.
function renderer(context) {
  const { parent, environment, step } = context;
  const read = (agent) => {
    try {
      return JSON.parse(agent.observation.observationString);
    } catch {
      return null;
    }
  };
  const add = (tag, text, style) => {
    const element = document.createElement(tag);
    element.textContent = text;
    element.style.cssText = style;
    parent.appendChild(element);
  };
  parent.textContent = '';
  parent.style.cssText = 'overflow: auto; background: #fff; color: #222; padding: 12px; font: 14px/1.4 sans-serif;';
  const agents = environment.steps[step] || [];
  const told = agents.map(read);
  const first = told.find((one) => one);
  if (!first) {
    add('p', 'Nothing is dealt yet.', '');
    return;
  }
  const over = first.is_terminal;
  add('h1', `${environment.title || environment.name}, step ${step}${over ? ', the end' : ''}`, 'font-size: 18px; margin: 0');
  agents.forEach((agent, seat) => {
    const did = agent.action && agent.action.actionString;
    if (did) add('p', `Player ${seat}: ${did}`, 'margin: 8px 0; font-weight: bold');
  });
  if (over) {
    const points = (first.scores || []).map((score, seat) => `Player ${seat} ${score}`).join(', ');
    const rewards = agents.map((agent, seat) => `Player ${seat} ${agent.reward}`).join(', ');
    add('p', `Points: ${points}. Rewards: ${rewards}.`, 'margin: 8px 0');
  }
  const shown = over ? [first] : told.filter((one) => one && one.legal_actions.length);
  shown.forEach((one) => {
    const asked = one.legal_actions.map((action) => `${action.notation} - ${action.words}`).join('\n');
    const text = asked ? `Player ${one.player}\n${one.text}\n\n${asked}` : one.text;
    add('pre', text, 'white-space: pre-wrap; border: 1px solid #ccc; padding: 8px; margin: 8px 0; font: 13px/1.4 monospace');
  });
}
