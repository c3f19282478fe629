import { check } from './check.js';
import type { Stack } from './stack.js';

export interface SolverBehaviour {
  mode: 'normal' | 'slow' | 'refuse' | 'silent' | 'dead';
  delay_ms?: number;
  die_after_fill?: boolean;
}

/** Sets the solver's test mode; development stacks only. */
export async function setSolverBehaviour(
  { solver }: Stack,
  behaviour: SolverBehaviour,
): Promise<void> {
  const response = await fetch(new URL('/v1/control', solver.base_url), {
    method: 'PUT',
    headers: { authorization: `Bearer ${solver.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(behaviour),
  });
  check('the solver does as it is told', response.ok, await response.text());
}
