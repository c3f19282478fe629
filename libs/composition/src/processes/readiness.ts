import type { RunningService } from '@bascule/service-host';
import { setTimeout as delay } from 'node:timers/promises';

import type { StackFile } from '../state/stack-file.js';

const READY_DEADLINE_MS = 60_000;
const POLL_MS = 100;

export interface Readiness {
  name: string;
  /** `true`, or why not. */
  state(): true | string | Promise<true | string>;
}

export const readinessOf = ({ name, context }: RunningService): Readiness => ({
  name,
  state: async () => {
    const { ok, checks } = await context.health.evaluateReady();
    return ok || JSON.stringify(checks);
  },
});

/**
 * Returns when every service is ready.
 * @throws Error naming what is not ready when the time is up
 */
export async function allReady(
  services: readonly Readiness[],
  withinMs = READY_DEADLINE_MS,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const waiting = await notReady(services);
    if (waiting.length === 0) return;
    if (Date.now() >= deadline) throw new Error(`not ready in time: ${waiting.join('; ')}`);
    await delay(POLL_MS);
  }
}

/** One request through the gateway to a service behind it, with the key that is going to be printed. */
export async function checkGateway({ base_url, keys }: StackFile): Promise<void> {
  const response = await fetch(`${base_url}/chains`, {
    headers: { authorization: `Bearer ${keys.secret}` },
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(`GET /chains answered ${response.status}`);
}

async function notReady(services: readonly Readiness[]): Promise<string[]> {
  const states = await Promise.all(
    services.map(async (service) => ({ name: service.name, state: await service.state() })),
  );
  return states.flatMap(({ name, state }) => (state === true ? [] : [`${name} ${state}`]));
}
