import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CustomActions,
  type ErrorBody,
  type Quote,
  type QuotesResponse,
} from '@bascule/contracts';
import { rpcCall } from '@bascule/local-stack';
import { contractAddresses, developmentAddresses } from '@bascule/solidity';
import { vaultDeposit } from '@bascule/testing';
import { getAddress } from 'viem';
import type { Hex } from 'viem';
import { FOREIGN_USDC, NATIVE, USDC, WETH } from '../testing/catalogue-feed.fixture.js';
import { fixedInput, fixedOutput, startQuoteStand } from '../testing/quote-stand.fixture.js';
import type { QuoteStand } from '../testing/quote-stand.fixture.js';
import { usdcOnramp } from '../testing/stub-onramps.fixture.js';
import { startStubSolver, type StubSolver } from '../testing/stub-solver.fixture.js';

const DESTINATION = '0x2222222222222222222222222222222222222222';
/** Reverts with `Error("no")`. */
const REJECTING = '0x3333333333333333333333333333333333333333';
const REJECTING_CODE =
  '0x7f08c379a00000000000000000000000000000000000000000000000000000000060005260206004526002602452616e6f60f01b60445260646000fd';
const LOOPING = '0x4444444444444444444444444444444444444444';
const LOOPING_CODE = '0x5b600056';
const { usdc, usdcVault } = developmentAddresses;

type Action = CustomActions['actions'][number];
const call = (target: string, calldata: Hex, value = '0'): Action => ({
  type: 'CallImmediateAction',
  target,
  value,
  calldata,
});
const deposits = (amount: bigint): Action[] => vaultDeposit(amount, DESTINATION);

describe('quotes with custom actions', () => {
  let stand: QuoteStand;

  beforeAll(async () => {
    stand = await startQuoteStand({});
    await rpcCall(stand.chain.rpcUrl, 'anvil_setCode', [REJECTING, REJECTING_CODE]);
    await rpcCall(stand.chain.rpcUrl, 'anvil_setCode', [LOOPING, LOOPING_CODE]);
  });
  afterAll(() => stand.stop());

  const withActions = (
    body: ReturnType<typeof fixedInput> | ReturnType<typeof fixedOutput>,
    actions: Action[],
    rest: object = {},
  ) => ({
    ...body,
    request: {
      ...body.request,
      dest_address: DESTINATION,
      custom_actions: { actions, user_estimated_gas: '200000' },
      ...rest,
    },
  });
  const swap = (actions: Action[], rest?: object) =>
    withActions(fixedInput(WETH, '0.1', USDC), actions, rest);
  const transfer = (actions: Action[], rest?: object) =>
    withActions(fixedInput(USDC, '100', USDC), actions, rest);

  const quoted = async (body: unknown): Promise<{ quote: Quote; response: QuotesResponse }> => {
    const { status, body: response } = await stand.ask(body);
    expect({ status, failures: response.failures }).toEqual({ status: 200, failures: [] });
    const [quote] = response.quotes;
    if (!quote) throw new Error('expected a quote');
    return { quote, response };
  };
  const failing = async (body: unknown) => {
    const { status, body: response } = await stand.ask(body);
    expect({ status, quotes: response.quotes }).toEqual({ status: 200, quotes: [] });
    return response;
  };

  it.each([
    ['a transfer', () => transfer(deposits(50_000_000n))],
    ['a swap', () => swap(deposits(200_000_000n))],
    ['a fixed output', () => withActions(fixedOutput(USDC, '250', WETH), deposits(250_000_000n))],
  ])('quotes %s and shows what the calls do', async (_, request) => {
    const { quote, response } = await quoted(request());
    const step = quote.route.at(-1);
    expect(step?.pieces_info.filter(({ type }) => type === 'custom_call')).toEqual(
      [usdc, usdcVault].map((target) => ({
        type: 'custom_call',
        chain: 'alphanet',
        target: getAddress(target),
      })),
    );
    const effects = step?.net_effect.produce.filter(
      ({ resource }) => resource.property !== 'BALANCE',
    );
    expect(effects).toEqual([
      {
        account: 'DEST',
        resource: { asset: USDC, property: 'APPROVAL' },
        amount: expect.stringMatching(/^\d+$/),
      },
      { account: 'DEST', resource: { asset: USDC, property: 'SIDE_EFFECT' }, amount: '0' },
    ]);
    // What the calls use is produced at the destination.
    expect(step?.net_effect.produce).toContainEqual({
      account: 'DEST',
      resource: { asset: USDC, property: 'BALANCE' },
      amount: quote.output_amount.amount,
    });
    for (const { resource } of effects ?? []) {
      expect(response.current_prices).toHaveProperty([resource.asset]);
    }
  });

  it('charges the estimated gas, and bounds the transaction by it', async () => {
    const legOf = async (body: unknown) => {
      const { response } = await quoted(body);
      const { quotes } = await stand.open(response.state_token);
      const leg = quotes[0]?.plan.legs.at(-1);
      return { fee: BigInt(leg?.fees[0]?.amount ?? 0), limit: BigInt(leg?.gas_limit ?? 0) };
    };
    const gas = (user_estimated_gas: string) => ({
      custom_actions: { actions: deposits(1n), user_estimated_gas },
    });
    const plain = await legOf(fixedInput(USDC, '100', USDC));
    const less = await legOf(transfer([], gas('200000')));
    const more = await legOf(transfer([], gas('400000')));
    // A transfer with one fee costs 200,000 gas.
    expect(plain.limit).toBe(500_000n);
    expect(more.limit - less.limit).toBe(200_000n);
    expect(less.fee).toBeGreaterThan(plain.fee);
    // 200,000 gas cost as much whatever surrounds them, up to rounding.
    const perGas = Number(more.fee - less.fee) / 200_000;
    expect(Number(less.fee - plain.fee) / perGas).toBeGreaterThan(400_000);
  });

  it('spends native output as value, up to the minimum', async () => {
    const native = (value: string, rest: object = {}) =>
      withActions(fixedInput(WETH, '0.1', NATIVE), [call(DESTINATION, '0x', value)], rest);
    const { quote } = await quoted(native('50000000000000000'));
    expect(quote.route.at(-1)?.net_effect.produce).toContainEqual({
      account: 'DEST',
      resource: { asset: NATIVE, property: 'SIDE_EFFECT' },
      amount: '0.05',
    });
    const { fault } = await failing(native('100000000000000000'));
    expect(fault).toMatchObject({ kind: 'other' });
    const rejecting = await failing(native('1', { dest_address: REJECTING }));
    expect(rejecting.fault).toEqual({
      kind: 'other',
      message: 'The custom actions would fail: no.',
    });
  });

  it.each([
    ['revert', [call(REJECTING, '0x12345678')], 'The custom actions would fail: no.'],
    [
      'use more than the minimum',
      deposits(100_000_000n),
      /^The custom actions would fail: error 0x/,
    ],
    ['call an address without code', [call(DESTINATION, '0x12345678')], /TargetWithoutCode/],
  ] satisfies [string, Action[], string | RegExp][])(
    'reports calls that %s as a failure of the chain',
    async (_, actions, message) => {
      const { fault, failures } = await failing(transfer(actions));
      const issue = {
        kind: 'other',
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      };
      expect(fault).toEqual(issue);
      expect(failures).toEqual([
        { service_ids: ['alphanet'], latency_seconds: expect.any(Number), issues: [issue] },
      ]);
    },
  );

  it('reports calls that need more gas than a payment may use', async () => {
    const { fault } = await failing(transfer([call(LOOPING, '0x12345678')]));
    expect(fault).toMatchObject({ kind: 'other' });
  });

  it('needs no destination, which the confirmation gives', async () => {
    const { quote } = await quoted(transfer(deposits(1n), { dest_address: undefined }));
    expect(quote.route.at(-1)?.pieces_info).toContainEqual({
      type: 'transfer_out',
      chain: 'alphanet',
    });
  });

  it('reports a chain that is down as a failure of its own', async () => {
    const there = fixedInput(FOREIGN_USDC, '100', FOREIGN_USDC);
    const { failures } = await failing(withActions(there, deposits(1n)));
    expect(failures).toMatchObject([{ service_ids: ['betanet'], issues: [{ kind: 'other' }] }]);
  });

  it('treats an empty list as none', async () => {
    const { quote } = await quoted(transfer([]));
    expect(quote.route.at(-1)?.pieces_info).toEqual([{ type: 'transfer_out', chain: 'alphanet' }]);
  });

  it('carries 32 KiB of calldata in the state token', async () => {
    const noise = Array.from({ length: 32 * 1024 - 100 }, (_, index) =>
      ((index * 7919 + (index >> 3) * 104729) % 256).toString(16).padStart(2, '0'),
    ).join('');
    const { response } = await quoted(transfer([call(usdcVault, `0x01e1d114${noise}`)]));
    const { quote_request } = await stand.open(response.state_token);
    expect(quote_request.request.custom_actions?.actions[0]?.calldata).toContain(noise);
  });

  describe('bad input', () => {
    const pathsOf = async (body: unknown) => {
      const { status, body: answer } = await stand.refused(body);
      expect(status).toBe(400);
      return answer.errors.map((error) => ('path' in error ? error.path.join('.') : error.kind));
    };
    const ACTIONS = 'request.custom_actions.actions';

    it.each([
      ['converter', contractAddresses.converter],
      ['factory of wallets', contractAddresses.oneTimeWalletFactory],
      ['implementation of wallets', contractAddresses.oneTimeWalletImplementation],
      ['factory of runners', contractAddresses.actionRunnerFactory],
      ['executor', developmentAddresses.executor],
      ['escrow', developmentAddresses.intentEscrow],
      ['oracle', developmentAddresses.attesterOracle],
    ])('refuses the %s as a target', async (_, target) => {
      expect(await pathsOf(transfer([call(target, '0x12345678')]))).toEqual([
        `${ACTIONS}.0.target`,
      ]);
    });

    it('refuses precompiles and the zero address as targets', async () => {
      const zero = `0x${'0'.repeat(40)}`;
      expect(
        await pathsOf(transfer([call(zero, '0x'), call(`0x${'0'.repeat(39)}1`, '0x')])),
      ).toEqual([`${ACTIONS}.0.target`, `${ACTIONS}.1.target`]);
    });

    it('refuses more than 16 actions and more than 32 KiB', async () => {
      const actions = Array.from({ length: 17 }, () => call(usdcVault, '0x01e1d114'));
      expect(await pathsOf(transfer(actions))).toEqual([ACTIONS]);
      const large = call(usdcVault, `0x01e1d114${'ab'.repeat(32 * 1024)}`);
      expect(await pathsOf(transfer([large]))).toEqual([ACTIONS]);
    });

    it('refuses a value without native output, and too much gas', async () => {
      const custom_actions = {
        actions: [call(usdcVault, '0x01e1d114', '1')],
        user_estimated_gas: '3000001',
      };
      expect(await pathsOf(transfer([], { custom_actions }))).toEqual([
        `${ACTIONS}.0.value`,
        'request.custom_actions.user_estimated_gas',
      ]);
    });

    it('reports malformed fields and wrong contents together', async () => {
      const custom_actions = {
        actions: [
          { type: 'DelegateAction', target: 'here', value: '-1', calldata: '0x123' },
          call(contractAddresses.converter, '0x12', '1'),
          7,
        ],
        user_estimated_gas: 5,
      };
      const paths = await pathsOf(transfer([], { custom_actions }));
      for (const path of [
        '0.type',
        '0.target',
        '0.value',
        '0.calldata',
        '1.target',
        '1.calldata',
        '1.value',
        '2',
      ]) {
        expect(paths).toContainEqual(expect.stringContaining(`${ACTIONS}.${path}`));
      }
      expect(paths).toContain('request.custom_actions.user_estimated_gas');
    });
  });

  describe('payouts without custom actions', () => {
    const toNative = (dest_address: string, rest: object = {}) => {
      const body = fixedInput(WETH, '0.1', NATIVE, rest);
      return { ...body, request: { ...body.request, dest_address } };
    };

    it('are a destination issue where the destination would refuse them', async () => {
      const { fault, failures } = await failing(toNative(REJECTING));
      const issue = {
        kind: 'destination',
        message: 'The destination would refuse the payout: no.',
      };
      expect(fault).toEqual(issue);
      expect(failures).toMatchObject([{ service_ids: ['alphanet'], issues: [issue] }]);
    });

    it('are quoted with allow_unsafe_transfer_out, and to others', async () => {
      await quoted(toNative(REJECTING, { allow_unsafe_transfer_out: true }));
      await quoted(toNative(DESTINATION));
      const { body } = await stand.ask(toNative(REJECTING, { allow_unsafe_transfer_out: false }));
      expect(body.quotes).toEqual([]);
    });

    it('refuses a flag that is no boolean', async () => {
      const { status, body } = await stand.refused(
        toNative(DESTINATION, { allow_unsafe_transfer_out: 'yes' }),
      );
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { errors: [{ path: ['allow_unsafe_transfer_out'] }] } satisfies
          Partial<ErrorBody> | object,
      });
    });
  });
});

describe('quotes with custom actions on another chain', () => {
  let stand: QuoteStand;
  let solver: StubSolver;

  beforeAll(async () => {
    solver = await startStubSolver();
    stand = await startQuoteStand({ ramp: usdcOnramp(USDC) }, {}, solver);
  });
  afterAll(async () => {
    await stand.stop();
    await solver.stop();
  });

  it.each([
    ['a crossing', USDC],
    ['a purchase and a crossing', 'usd'],
  ])('run after %s, on the last leg only', async (_, input) => {
    const body = fixedInput(input, '200', FOREIGN_USDC);
    const ask = (amount: bigint) =>
      stand.ask({
        request: {
          ...body.request,
          dest_address: DESTINATION,
          custom_actions: { actions: deposits(amount), user_estimated_gas: '200000' },
        },
      });
    const { body: response } = await ask(100_000_000n);
    expect(response.failures).toEqual([]);
    const types = response.quotes[0]?.route.map(({ pieces_info }) =>
      pieces_info.some(({ type }) => type === 'custom_call'),
    );
    expect(types).toEqual([false, false, true]);
    const { quotes } = await stand.open(response.state_token);
    const [bridging, last] = (quotes[0]?.plan.legs ?? []).map(({ gas_limit }) => Number(gas_limit));
    expect(bridging).toBeGreaterThan(500_000);
    expect(last).toBeGreaterThan(200_000);
    const { body: tooMuch } = await ask(250_000_000n);
    expect(tooMuch.failures).toMatchObject([
      { service_ids: ['betanet'], issues: [{ kind: 'other' }] },
    ]);
  });
});
