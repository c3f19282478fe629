import type { RunningService } from '@bascule/http';
import { setTimeout as delay } from 'node:timers/promises';

import type { StackFile } from './stack-file.js';

const READY_DEADLINE_MS = 60_000;
const POLL_MS = 100;

/**
 * Returns when every service is ready.
 * @throws Error naming what is not ready when the time is up
 */
export async function allReady(services: readonly RunningService[]): Promise<void> {
  const deadline = Date.now() + READY_DEADLINE_MS;
  for (;;) {
    const waiting = await notReady(services);
    if (waiting.length === 0) return;
    if (Date.now() >= deadline) throw new Error(`not ready in time: ${waiting.join('; ')}`);
    await delay(POLL_MS);
  }
}

/** One request through the gateway to a service behind it, with the key that is going to be printed. */
export async function answers({ base_url, keys }: StackFile): Promise<void> {
  const response = await fetch(`${base_url}/chains`, {
    headers: { authorization: `Bearer ${keys.secret}` },
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(`GET /chains answered ${response.status}`);
}

async function notReady(services: readonly RunningService[]): Promise<string[]> {
  const reports = await Promise.all(
    services.map(async ({ name, context }) => ({
      name,
      ...(await context.health.evaluateReady()),
    })),
  );
  return reports
    .filter(({ ok }) => !ok)
    .map(({ name, checks }) => `${name} ${JSON.stringify(checks)}`);
}
