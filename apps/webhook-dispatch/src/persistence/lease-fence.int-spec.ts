import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { DispatcherWorker } from '../delivery/dispatcher.worker.js';
import { enqueueMany, useDispatcher } from '../testing/webhook-dispatch.fixture.js';
import { ClaimRepository } from './claim.repository.js';
import { type DeliveryResult, ResultsRepository } from './results.repository.js';

const LEASE_MS = 60_000;

describe('the lease of a claim', () => {
  const { running, register, query, attemptsOf } = useDispatcher();

  it.each([
    ['ends the delivery', { status: 'DELIVERED', delayMs: null }],
    ['schedules another attempt', { status: 'PENDING', delayMs: 60_000 }],
  ] as const)('fences a late result that %s', async (_, late) => {
    const { app } = running();
    await app.get(DispatcherWorker).stopClaiming();
    const { id: webhookId } = await register(uuidv7(), 'http://127.0.0.1:9/');
    await enqueueMany(query, [webhookId], 1);
    const claim = () =>
      app
        .get(ClaimRepository)
        .claim([{ kind: 'regular', webhookId, slots: 1, holdMs: null }], LEASE_MS);
    const [first] = await claim();
    await query('UPDATE webhook_deliveries SET due_at = now() WHERE webhook_id = $1', [webhookId]);
    const [second] = await claim();
    const resultOf = (lease: string | undefined): DeliveryResult => ({
      id: first?.id ?? '',
      lease: lease ?? '',
      ...late,
      attempt: {
        url: 'http://127.0.0.1:9/',
        outcome: 'acknowledged',
        durationMs: 1,
        reason: null,
        statusCode: 204,
        answerType: null,
        answer: null,
      },
    });
    const results = app.get(ResultsRepository);

    expect(await results.write([resultOf(first?.lease)])).toEqual(new Set());
    expect(
      await query('SELECT due_at::text AS lease FROM webhook_deliveries WHERE webhook_id = $1', [
        webhookId,
      ]),
    ).toEqual([{ lease: second?.lease }]);
    expect(await attemptsOf(webhookId)).toMatchObject([{ number: 1, outcome: 'interrupted' }]);

    expect(await results.write([resultOf(second?.lease)])).toEqual(new Set([second?.id]));
    expect(await attemptsOf(webhookId)).toMatchObject([
      { number: 1, outcome: 'interrupted' },
      { number: 2, outcome: 'acknowledged' },
    ]);
  });
});
