import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { enqueueMany, useDispatcher } from './testing/webhook-dispatch.fixture.js';

const text = readFileSync(resolve('apps/webhook-dispatch/alerts.yaml'), 'utf8');
const rules = [...text.matchAll(/- alert: (\w+)\n\s+expr: (.+)\n/g)].map(
  ([, alert = '', expression = '']): [string, string] => [alert, expression],
);

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LABEL = /(\w+)="([^"]*)"/g;
const labelsIn = (written = ''): Record<string, string> =>
  Object.fromEntries(
    [...written.matchAll(LABEL)].map(([, name = '', value = '']) => [name, value]),
  );

/** Series that an expression selects, with their labels. */
const selectorsOf = (expression: string) =>
  [...expression.matchAll(/(webhook_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', matchers]) => ({
    name,
    labels: labelsIn(matchers),
  }));

const chosenBy = (
  { name, labels }: Pick<Sample, 'name' | 'labels'>,
  samples: readonly Sample[],
): Sample[] =>
  samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );

describe('the alerts', () => {
  const { running, receiver, register, query } = useDispatcher({
    WEBHOOK_CONCURRENCY: '1',
    WEBHOOK_ACK_TIMEOUT_MS: '120000',
  });
  const scrape = async (): Promise<Sample[]> => {
    const page = await (await fetch(`${running().operationsUrl}/metrics`)).text();
    return [...page.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
      ([, name = '', labels, value]) => ({
        name,
        labels: labelsIn(labels),
        value: Number(value),
      }),
    );
  };
  /** Returns the highest value of the only selector of an alert. */
  const valueFor = async (alert: string): Promise<number> => {
    const expression = rules.find(([name]) => name === alert)?.[1] ?? '';
    const [selector] = selectorsOf(expression);
    if (selector === undefined) throw new Error(`no alert ${alert}`);
    return Math.max(...chosenBy(selector, await scrape()).map(({ value }) => value));
  };

  it.each(rules)(
    '%s selects series that exist from the start, so that their first event is an increase',
    async (_, expression) => {
      const samples = await scrape();
      const selectors = selectorsOf(expression);
      expect(selectors).not.toEqual([]);
      for (const selector of selectors) {
        const chosen = chosenBy(selector, samples);
        expect({ selector, series: chosen.length > 0 }).toEqual({ selector, series: true });
        for (const [, by] of expression.matchAll(/by \((\w+)\)/g)) {
          expect(chosen.every(({ labels }) => by !== undefined && by in labels)).toBe(true);
        }
      }
    },
  );

  it('cover the whole file, and the README lists its metrics', async () => {
    expect(rules).toHaveLength(text.match(/- alert:/g)?.length ?? 0);
    const readme = readFileSync(resolve('apps/webhook-dispatch/README.md'), 'utf8');
    const exposed = (await scrape())
      .map(({ name }) => name.replace(/_(bucket|sum|count)$/, ''))
      .filter((name) => name.startsWith('webhook_'));
    for (const name of new Set(exposed)) expect(readme).toContain(`\`${name}`);
  });

  it('fire for forbidden addresses and for failed deliveries', async () => {
    const { id } = await register(uuidv7(), (await receiver()).url);
    await query(`UPDATE webhooks SET url = 'https://10.0.0.1/' WHERE id = $1`, [id]);
    await enqueueMany(query, [id], 1);
    await eventually(async () => {
      expect(await valueFor('WebhookForbiddenAddress')).toBe(1);
    });
    expect(await valueFor('WebhookDeliveriesFailed')).toBe(0);
    await eventually(async () => {
      const rows = await query(
        `UPDATE webhook_deliveries SET first_attempt_at = now() - interval '25 hours', due_at = now()
         WHERE webhook_id = $1 AND claimed_at IS NULL RETURNING id`,
        [id],
      );
      expect(rows).toMatchObject([[expect.anything()], 1]);
    });
    await eventually(async () => {
      expect(await valueFor('WebhookDeliveriesFailed')).toBe(1);
    });
  });

  it('fire for due deliveries that are not sent, except those of open circuits, which have their own alert', async () => {
    const open: (() => void)[] = [];
    const hanging = await receiver(
      () => new Promise((answer) => open.push(() => answer({ status: 204 }))),
    );
    const occupying = await register(uuidv7(), hanging.url);
    await enqueueMany(query, [occupying.id], 1);
    await eventually(() => {
      expect(open).toHaveLength(1);
    });
    // The only slot is in use.
    const { id } = await register(uuidv7(), (await receiver()).url);
    await enqueueMany(query, [id], 2);
    const postpone = (by: string): Promise<unknown> =>
      query(`UPDATE webhook_deliveries SET due_at = now() - $2::interval WHERE webhook_id = $1`, [
        id,
        by,
      ]);
    expect(await valueFor('WebhookDeliveriesNotSent')).toBeLessThan(60);
    await postpone('2 minutes');
    expect(await valueFor('WebhookDeliveriesNotSent')).toBeGreaterThanOrEqual(120);
    expect(await valueFor('WebhookReceiversAway')).toBe(0);
    await query(
      `INSERT INTO webhook_circuits (webhook_id, state, openings, not_before)
       VALUES ($1, 'OPEN', 1, now() + interval '1 hour')`,
      [id],
    );
    expect(await valueFor('WebhookDeliveriesNotSent')).toBe(0);
    expect(await valueFor('WebhookReceiversAway')).toBe(1);
    await query('DELETE FROM webhook_circuits');
    const before = await valueFor('WebhookDeliveriesLate');
    for (const answer of open) answer();
    await eventually(async () => {
      expect(await valueFor('WebhookDeliveriesLate')).toBeGreaterThanOrEqual(before + 2);
    });
  });
});
