import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatDecimal, parseAmount } from '@bascule/amounts';
import type {
  OnrampOrderReference,
  OnrampOrderStatus,
  OnrampProvider,
  OnrampQuoteRequest,
} from '../port/onramp-provider.js';
import { ProviderError } from '../port/provider-error.js';
import { startAlteringProxy, type AlteringProxy } from './altering-proxy.fixture.js';
import { changed, fieldPaths, WRONG_VALUES } from './field-changes.fixture.js';

interface ChangedHarness {
  provider: OnrampProvider;
  baseUrl: string;
  providerAt(baseUrl: string, timeoutMs: number): OnrampProvider;
  sold: OnrampQuoteRequest;
}

const TIMEOUT_MS = 5_000;

const cents = (amount: string): bigint => parseAmount(formatDecimal(amount, 2), 2);

/** Fees of the network move with each block. */
const isNear = (one: bigint, other: bigint): boolean => {
  const difference = one > other ? one - other : other - one;
  return difference * 100n <= other;
};

/** Runs a call for each response of the provider with each of its fields wrong, one at a time. */
async function withEachFieldWrong<T>(
  proxy: AlteringProxy,
  call: () => Promise<T>,
  check: (result: T, change: string) => void,
): Promise<number> {
  proxy.alter = undefined;
  proxy.seen.length = 0;
  await call();
  const changes = proxy.seen.flatMap(({ path, body }) =>
    fieldPaths(body).flatMap((field) => WRONG_VALUES.map((to) => ({ path, field, to }))),
  );
  for (const { path, field, to } of changes) {
    proxy.alter = (response) =>
      response.path === path ? changed(response.body, field, to) : response.body;
    try {
      check(await call(), `${path} ${field.join('.')} = ${String(JSON.stringify(to))}`);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
    }
  }
  proxy.alter = undefined;
  return changes.length;
}

/** Replaces every state in a response, whatever its field is called: `status` at any depth. */
function withStatus(value: unknown, status: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withStatus(item, status));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'status' && typeof inner === 'string' ? status : withStatus(inner, status),
    ]),
  );
}

/** Checks that what the adapter does not understand is an error or means pending, never another result. */
export function describeChangedResponses(
  harness: () => ChangedHarness,
  placePaidOrder: () => Promise<{ order: OnrampOrderReference; status: OnrampOrderStatus }>,
): void {
  describe('with a changed response of the provider', () => {
    let proxy: AlteringProxy;
    let paid: Awaited<ReturnType<typeof placePaidOrder>>;
    beforeAll(async () => {
      proxy = await startAlteringProxy(harness().baseUrl);
      paid = await placePaidOrder();
    });
    afterAll(async () => {
      await proxy.stop();
    });
    /** A new one for each call: an adapter may keep lists. */
    const provider = () => harness().providerAt(proxy.baseUrl, TIMEOUT_MS);

    it('quotes the same or nothing', async () => {
      const { sold } = harness();
      const original = await harness().provider.quote(sold);
      const changes = await withEachFieldWrong(
        proxy,
        () => provider().quote(sold),
        (quote, change) => {
          const isSame =
            isNear(quote.deliveryAmount, original.deliveryAmount) &&
            isNear(cents(quote.fees.total), cents(original.fees.total)) &&
            JSON.stringify(quote.limits) === JSON.stringify(original.limits);
          expect([change, isSame]).toEqual([change, true]);
        },
      );
      expect(changes).toBeGreaterThan(20);
    });

    it('reports the same state of an order, or that it is pending', async () => {
      const { transactionHash: hash, deliveredAmount: amount } = await provider().status(
        paid.order,
      );
      const changes = await withEachFieldWrong(
        proxy,
        () => provider().status(paid.order),
        ({ status, transactionHash = hash, deliveredAmount = amount }, change) => {
          const isSame =
            [paid.status, 'PROCESSING', 'UNKNOWN'].includes(status) &&
            transactionHash === hash &&
            deliveredAmount === amount;
          expect([change, isSame]).toEqual([change, true]);
        },
      );
      expect(changes).toBeGreaterThan(5);
    });

    it.each(['a_state_of_tomorrow', 'constructor', 'FAILED?'])(
      'takes the state "%s" for unknown: it ends no payment',
      async (status) => {
        let replaced = 0;
        proxy.alter = ({ body }) => {
          const altered = withStatus(body, status);
          if (JSON.stringify(altered) !== JSON.stringify(body)) replaced += 1;
          return altered;
        };
        const answer = await provider().status(paid.order);
        proxy.alter = undefined;
        expect(replaced).toBeGreaterThan(0);
        expect(answer.status).toBe('UNKNOWN');
      },
    );
  });
}
