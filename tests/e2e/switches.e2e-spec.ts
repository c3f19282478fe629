import type { ErrorBody, PauseKind, QuotesResponse } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Chain } from '../../tools/first-payment/chain.js';
import { confirmBody, quote, reaches } from '../../tools/first-payment/payments.js';
import { newTestUser, type Stage } from '../../tools/first-payment/test-user.js';
import { DistributedStack } from '../testing/distributed-stack.fixture.js';
import { fetchOutsideApi } from '../testing/outside-api.fixture.js';
import {
  deposit,
  idOf,
  LifeCycleStand,
  type Confirmed,
} from './testing/life-cycle-stand.fixture.js';
import { silentStage } from './testing/stage.fixture.js';
import { timelineOf } from './testing/timeline.fixture.js';

const SLOW = 400_000;
const WANTED = '25';
const REASON = 'under attack';
const APPLYING = ['quote', 'payment'];

let stack: DistributedStack;
let stage: Stage;
let stand: LifeCycleStand;

beforeAll(async () => {
  stack = await DistributedStack.create('switches');
  stage = await silentStage(await stack.start());
  stand = new LifeCycleStand(stage);
  // The listed assets reach the quote service after the start.
  const request = fixedInput(usdc(), usdc());
  await eventually(
    async () => {
      const { status } = await stage.api.request('POST', '/payments/quotes', request);
      expect(status).toBe(200);
    },
    { timeoutMs: 120_000 },
  );
}, 600_000);

afterAll(async () => {
  await stage.webhooks.close();
  await stack.dispose();
});

/** Runs an operator's command, and waits until each replica applies the version that it printed. */
async function throwSwitch(...args: string[]): Promise<void> {
  const output = await stack.operator(...args, '--as', 'drill');
  const version = Number(/^version (\d+)$/m.exec(output)?.[1]);
  const replicas = stack.services().filter(({ name }) => APPLYING.includes(name));
  expect(replicas.filter(({ name }) => name === 'payment')).toHaveLength(2);
  for (const { operations_port } of replicas) {
    await eventually(
      async () => {
        const response = await fetchOutsideApi(`http://127.0.0.1:${operations_port}/metrics`);
        const metrics = await response.text();
        const applied = Number(/^switches_version(?:\{.*\})? (\d+)$/m.exec(metrics)?.[1]);
        expect(applied).toBeGreaterThanOrEqual(version);
      },
      { timeoutMs: 60_000 },
    );
  }
}

const fixedInput = (input: string, output: string) => ({
  body: {
    request: {
      kind: 'FIXED_INPUT',
      fixed_input_amount: { asset: input, amount: WANTED },
      output_asset: output,
    },
  },
});

/** Reason why a quote has no route, or is refused. */
async function refusedQuote(input: string, output: string): Promise<string> {
  const request = fixedInput(input, output);
  const { status, body } = await stage.api.request('POST', '/payments/quotes', request);
  if (status !== 200) return `${status} ${messageOf(body)}`;
  const { quotes, failures } = body as QuotesResponse;
  const isFailed = failures.some(({ service_ids }) => service_ids.includes('swiftramp'));
  expect(quotes.some(({ onramp }) => onramp === 'swiftramp')).toBe(input === 'usd' && !isFailed);
  return `${status} ${failures.map(({ issues }) => JSON.stringify(issues)).join()}`;
}

const messageOf = (body: unknown): string => JSON.stringify((body as ErrorBody).errors);

/** Confirms a quote that was made before, as a client that was asked to wait does. */
async function refusedConfirm(): Promise<string> {
  const { owner, destination } = newTestUser();
  const participants = { owner: owner.address, destination };
  const token = stage.chain.token('USDC');
  const input = { asset: token, amount: WANTED };
  const { quotes, state_token } = await quote(stage.api, { ...participants, input, output: token });
  const body = confirmBody(participants, quotes[0]?.payment_id ?? '', state_token);
  const answer = await stage.api.request('POST', '/payments/confirm', { body });
  return `${answer.status} ${messageOf(answer.body)}`;
}

/** An owner takes a part payment out of the wallet. */
async function withdraws(payment: Confirmed): Promise<void> {
  const signed = await stand.signed(payment, stage.chain.token('USDC'));
  expect((await stand.confirm(signed, 60_000)).status).toBe(200);
  await stand.ends(signed, 'SUCCESS');
}

const isHeld = (payment: Confirmed, name: string) =>
  eventually(
    async () => {
      const { entries } = await timelineOf(stage.api, idOf(payment));
      expect(entries).toContainEqual(
        expect.objectContaining({ type: 'leg.waiting', reason: `${name} is paused` }),
      );
    },
    { timeoutMs: 60_000 },
  );

interface Drill {
  kind: PauseKind;
  name: () => string[];
  /** Attempt of new work, and the answer to it. */
  attempt: () => Promise<string>;
  answer: RegExp;
  /** Name of the switch in the timelines of open payments; undefined where these go on. */
  holds?: string;
  /** Output of the payments that run. */
  output?: string;
}

const usdc = () => stage.chain.token('USDC');
const DRILLS: Drill[] = [
  {
    ...{ kind: 'execution', name: () => [], holds: 'execution', answer: /^200 $/ },
    attempt: () => refusedQuote(usdc(), usdc()),
  },
  {
    ...{ kind: 'chain', name: () => ['alphanet'], holds: 'chain alphanet' },
    ...{ attempt: () => refusedQuote(usdc(), usdc()), answer: /^200 .*alphanet is paused: under/ },
  },
  {
    ...{ kind: 'venue', name: () => ['uniswap-v3'] },
    ...{ holds: 'venue uniswap_v3', output: 'WETH' },
    attempt: () => refusedQuote(usdc(), stage.chain.token('WETH')),
    answer: /^200 .*uniswap_v3 is paused: under attack/,
  },
  {
    ...{ kind: 'bridge', name: () => ['intent_escrow', '--unlisted'] },
    attempt: () => refusedQuote(usdc(), new Chain(stage.stack, 'betanet').token('USDC')),
    answer: /^200 .*intent_escrow is paused: under attack/,
  },
  {
    ...{ kind: 'provider', name: () => ['swiftramp', '--unlisted'] },
    attempt: () => refusedQuote('usd', usdc()),
    answer: /^200 .*swiftramp is paused: under attack/,
  },
  {
    ...{ kind: 'organisation', name: () => [stage.stack.organisation_id] },
    attempt: () => refusedQuote(usdc(), usdc()),
    answer: /^403 .*organisation are paused: under attack/,
  },
  {
    ...{ kind: 'confirms', name: () => [], attempt: refusedConfirm },
    answer: /^503 .*New payments are paused: under attack/,
  },
];

describe('an operator under attack', () => {
  it.each(DRILLS)(
    'pauses and resumes $kind in every replica while payments run, withdrawals complete, and no payment is lost',
    async ({ kind, name, attempt, answer, holds, output = 'USDC' }) => {
      const [running, held, taken] = [
        await stand.confirmed(60),
        await stand.confirmed(60, { output }),
        await stand.confirmed(60),
      ];
      await deposit(running, WANTED);
      await throwSwitch('pause', kind, ...name(), '--reason', REASON);
      expect(await attempt()).toMatch(answer);

      await deposit(held, WANTED);
      await deposit(taken, '10');
      await withdraws(taken);
      if (holds === undefined) {
        await reaches(stage.api, idOf(held), 'COMPLETE');
      } else {
        await isHeld(held, holds);
        expect(await stand.show(held)).toMatchObject({ status: 'PENDING', funded: true });
      }

      await throwSwitch('resume', kind, ...name());
      expect(await attempt()).not.toMatch(/paused/);
      await reaches(stage.api, idOf(held), 'COMPLETE');
      await reaches(stage.api, idOf(running), 'COMPLETE');
    },
    SLOW,
  );

  it('finds each command in the audit log, and nothing paused', async () => {
    expect(await stack.operator('pauses', 'list')).toMatch(/^version \d+\n$/);
    const audited = await stack.operator('audit', 'list', '--limit', '50');
    const entries = audited.split('\n').filter((line) => line.includes('"switch.'));
    for (const { kind } of DRILLS) {
      for (const action of ['switch.paused', 'switch.resumed']) {
        const found = entries.filter(
          (line) => line.includes(`"${action}"`) && line.includes(`"kind":"${kind}"`),
        );
        expect(found).toHaveLength(1);
        expect(found[0]).toMatch(/"actor":"operator drill/);
      }
    }
  });
});
