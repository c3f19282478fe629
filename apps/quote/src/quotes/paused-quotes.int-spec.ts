import type { AvailableAssetsResponse, ErrorBody, Pause } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  FOREIGN_USDC,
  switchesRecord,
  USDC,
  USDT,
  WETH,
} from '../testing/catalogue-feed.fixture.js';
import {
  BRIDGE,
  fixedInput,
  ORGANISATION,
  startQuoteStand,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';
import { usdcOnramp } from '../testing/stub-onramps.fixture.js';
import { startStubSolver, type StubSolver } from '../testing/stub-solver.fixture.js';

const OTHER_ORGANISATION = '0190b2c3-0000-7000-8000-00000000000b';

describe('quotes and discovery while an operator has paused something', () => {
  let stand: QuoteStand;
  let solver: StubSolver;
  let version = 0;
  beforeAll(async () => {
    solver = await startStubSolver();
    stand = await startQuoteStand({ acme: usdcOnramp(USDC), other: usdcOnramp(USDC) }, {}, solver);
  });
  afterEach(() => pause());
  afterAll(async () => {
    await stand.stop();
    await solver.stop();
  });

  const metric = async (): Promise<number> => {
    const metrics = await (await fetch(`${stand.service.operationsUrl}/metrics`)).text();
    return Number(/^switches_version(?:\{.*\})? (\d+)$/m.exec(metrics)?.[1]);
  };
  /** Leaves exactly these switches on, and returns when the process applies them. */
  async function pause(...thrown: (readonly [Pause['kind'], string | null])[]): Promise<void> {
    version += 1;
    const since = new Date().toISOString();
    const paused = thrown.map(([kind, subject]) => ({ kind, subject, reason: 'attack', since }));
    await stand.transport.publish([switchesRecord({ version, paused })]);
    await eventually(async () => expect(await metric()).toBe(version), { timeoutMs: 30_000 });
  }
  const quoteOf = async (input: string, output: string, rest: object = {}) => {
    const { status, body } = await stand.ask(fixedInput(input, '100', output, rest));
    expect([status, status === 200 ? [] : body]).toEqual([200, []]);
    const { fault, failures, quotes } = body;
    return { fault, failures, onramps: quotes.map(({ onramp }) => onramp ?? 'tokens').sort() };
  };
  const failureOf = (name: string, kind: 'other' | 'provider') => ({
    service_ids: [name],
    latency_seconds: 0,
    issues: [{ kind, message: `${name} is paused: attack` }],
  });
  const outputsOf = async (input: string) => {
    const query = new URLSearchParams({ 'inputs[]': input });
    const path = `/assets/available-outputs?${query.toString()}`;
    const { body, headers } = await stand.get<AvailableAssetsResponse>(path);
    return { tokens: body[input]?.tokens ?? [], why: headers.get('x-paused') };
  };

  it.each([
    ['chain', 'alphanet', 'other', USDC, USDT],
    ['chain', 'betanet', 'other', USDC, FOREIGN_USDC],
    ['venue', 'uniswap_v3', 'provider', USDC, WETH],
    ['bridge', BRIDGE, 'provider', USDC, FOREIGN_USDC],
  ] as const)(
    'leave out routes over the paused %s %s, say why, and have them again after the resume',
    async (kind, subject, issue, input, output) => {
      expect((await quoteOf(input, output)).onramps).toEqual(['tokens']);
      expect((await outputsOf(input)).tokens).toContain(output);
      await pause([kind, subject]);
      const failure = failureOf(subject, issue);
      expect(await quoteOf(input, output)).toEqual({
        ...{ onramps: [], fault: failure.issues[0] },
        failures: [failure],
      });
      const { tokens, why } = await outputsOf(input);
      expect(tokens).not.toContain(output);
      expect(why).toBe(`"${subject}";kind=${kind};reason="attack"`);
      await pause();
      expect((await quoteOf(input, output)).onramps).toEqual(['tokens']);
      expect(await outputsOf(input)).toEqual({
        tokens: expect.arrayContaining([output]),
        why: null,
      });
    },
  );

  it('convert at the next best of the venues that have the pair while others are paused', async () => {
    const venuesOf = async () => {
      const { body } = await stand.ask(fixedInput(USDC, '100', USDT));
      return body.quotes.map(({ route }) =>
        route.flatMap(({ pieces_info: pieces }) => pieces.flatMap((piece) => piece.venue ?? [])),
      );
    };
    const usual = ['uniswap_v3', 'uniswap_v4', 'uniswap_v2'];
    for (const [paused, venue] of usual.entries()) {
      await pause(...usual.slice(0, paused).map((name) => ['venue', name] as const));
      expect(await venuesOf()).toEqual([[venue]]);
    }
  });

  it('leave out a paused provider only, with the reason beside the quotes of the others', async () => {
    await pause(['provider', 'acme']);
    expect(await quoteOf('usd', USDC)).toEqual({
      ...{ onramps: ['other'], fault: null },
      failures: [failureOf('acme', 'provider')],
    });
    await pause(['provider', 'acme'], ['provider', 'other']);
    expect((await quoteOf('usd', USDC)).fault?.kind).toBe('provider');
    expect((await outputsOf('usd')).tokens).toEqual([]);
  });

  it('say nothing about paused parties that a request does not need', async () => {
    await pause(
      ['chain', 'betanet'],
      ['provider', 'acme'],
      ['bridge', BRIDGE],
      ['execution', null],
    );
    expect(await quoteOf(USDC, WETH)).toEqual({ onramps: ['tokens'], fault: null, failures: [] });
  });

  it('ask a paused provider, or the node of a paused chain, nothing', async () => {
    await pause(['provider', 'acme'], ['chain', 'alphanet']);
    const before = stand.quoteRequests('acme');
    await quoteOf('usd', USDC);
    expect(stand.quoteRequests('acme')).toBe(before);
  });

  it('refuse quotes to the keys of a paused organisation, which can still discover', async () => {
    await pause(['organisation', ORGANISATION]);
    const request = fixedInput(USDC, '100', WETH);
    const refused = await stand.refused(request);
    const expected: ErrorBody = {
      errors: [
        {
          kind: 'other',
          message: 'New quotes and payments of the organisation are paused: attack',
        },
      ],
    };
    expect(refused).toEqual({ status: 403, body: expected });
    expect((await outputsOf(USDC)).tokens).toContain(WETH);
    const other = await stand.ask(request, ['quotes'], { orgId: OTHER_ORGANISATION });
    expect(other.status).toBe(200);
  });

  it('stop and start again under a stream of requests, which all get an answer', async () => {
    let isOver = false;
    const found: number[] = [];
    const stream = Promise.all(
      [1, 2, 3].map(async () => {
        while (!isOver) found.push((await quoteOf(USDC, WETH)).onramps.length);
      }),
    );
    await eventually(() => expect(found).toContain(1));
    await pause(['venue', 'uniswap_v3']);
    await eventually(() => expect(found.slice(-3)).toEqual([0, 0, 0]));
    await pause();
    await eventually(() => expect(found.slice(-3)).toEqual([1, 1, 1]));
    isOver = true;
    await stream;
  });
});
