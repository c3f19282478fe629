import { SWITCHES_KEY, TOPICS, type Pause, type SwitchesState } from '@bascule/contracts';
import { createEnvelope, TRANSPORT, type Transport } from '@bascule/messaging';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { expect } from '@jest/globals';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import type { PaymentStack } from './payment-stack.fixture.js';

type Thrown = Pick<Pause, 'kind' | 'subject'>;

/** Version of the switches that a process applies, as its metrics say. */
async function appliedVersion({ operationsUrl }: RunningService): Promise<number> {
  const metrics = await (await fetch(`${operationsUrl}/metrics`)).text();
  return Number(/^switches_version(?:\{.*\})? (\d+)$/m.exec(metrics)?.[1]);
}

/** Publishes switches as the gateway does. */
export class SwitchesFeed {
  private version = 0;

  constructor(private readonly environment: string) {}

  /** Leaves exactly these switches on; returns when each of the processes applies them. */
  async set(services: readonly RunningService[], ...thrown: readonly Thrown[]): Promise<void> {
    this.version += 1;
    const since = new Date().toISOString();
    const paused = thrown.map((each) => ({ ...each, reason: 'under attack', since }));
    const data: SwitchesState = { version: this.version, paused };
    const topic = TOPICS.switches;
    const envelope = createEnvelope(
      { topic, type: 'switches.changed', key: SWITCHES_KEY, data },
      { source: 'gateway', environment: this.environment },
    );
    const value = Buffer.from(JSON.stringify(envelope));
    const [first] = services;
    const record = { topic: topic.name, key: SWITCHES_KEY, headers: {}, value };
    await first?.app.get<Transport>(TRANSPORT).publish([record]);
    for (const service of services) {
      await eventually(
        async () => expect(await appliedVersion(service)).toBeGreaterThanOrEqual(this.version),
        { timeoutMs: 30_000 },
      );
    }
  }
}

/**
 * Waits until a leg of the payment was due, and an operator's switch held it.
 * @param name of the switch, such as `chain alphanet`
 */
export async function expectHeld(
  stack: PaymentStack,
  { id }: PaymentRecord,
  name: string,
): Promise<void> {
  await eventually(
    async () => {
      const rows = await stack.sql<{ reason: string }>(
        `SELECT facts->>'reason' AS reason FROM timeline_entries
         WHERE payment_id = $1 AND type = 'leg.waiting'`,
        [id],
      );
      expect(rows.map(({ reason }) => reason)).toContain(`${name} is paused`);
    },
    { timeoutMs: 60_000 },
  );
}
