import type { CustomActions, ErrorBody, QuoteState } from '@bascule/contracts';
import { tokenIdentifier } from '@bascule/contracts';
import { rpcCall } from '@bascule/local-stack';
import { developmentAddresses, parseDeclaration } from '@bascule/solidity';
import { setDataFee, startLyingNode, startTestChain, vaultDeposit } from '@bascule/testing';
import type { LyingNode, TestChain } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { numberToHex, parseEther, zeroAddress } from 'viem';
import { DESTINATION } from '../testing/a-payment.fixture.js';
import { aPlan, aQuote, aQuoteRequest, aQuoteState, USDC } from '../testing/a-quote.fixture.js';
import { withChains } from '../testing/fast-service.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

/** Reverts with `Error("no")`. */
const REJECTING = '0x3333333333333333333333333333333333333333';
const REJECTING_CODE =
  '0x7f08c379a00000000000000000000000000000000000000000000000000000000060005260206004526002602452616e6f60f01b60445260646000fd';
/** Writes 800 storage slots: 17.7 million gas. */
const WRITING = '0x4444444444444444444444444444444444444444';
const WRITING_CODE = '0x6103205b808055600190038060035700';
const NATIVE = tokenIdentifier('alphanet', zeroAddress);
const { usdc, usdcVault } = developmentAddresses;

const deposits = (amount: bigint): CustomActions => ({
  actions: vaultDeposit(amount, DESTINATION),
  user_estimated_gas: '300000',
});

/** 99 USDC for the destination. */
function stateOf(
  custom_actions: CustomActions | undefined,
  {
    output = USDC,
    flag = false,
    dest,
    gasCost,
  }: { output?: typeof USDC; flag?: boolean; dest?: string; gasCost?: bigint } = {},
): QuoteState {
  const plan = aPlan();
  const { request, ...rest } = aQuoteRequest();
  return aQuoteState({
    quotes: [
      {
        quote: aQuote(),
        plan: {
          ...plan,
          legs: plan.legs.map((leg) => ({
            ...leg,
            output_token: output,
            min_output: '99000000',
            ...(custom_actions && { gas_limit: '1000000' }),
            ...(gasCost !== undefined && { gas: '200000', gas_cost: gasCost.toString() }),
          })),
        },
      },
    ],
    quote_request: {
      ...rest,
      allow_unsafe_transfer_out: flag,
      request: {
        ...request,
        ...(custom_actions && { custom_actions }),
        ...(dest === undefined ? {} : { dest_address: dest }),
      },
    },
  });
}

describe('the simulation before a payment is accepted', () => {
  let chain: TestChain;
  let client: PaymentServiceClient;

  beforeAll(async () => {
    chain = await startTestChain();
    await rpcCall(chain.rpcUrl, 'anvil_setCode', [REJECTING, REJECTING_CODE]);
    await rpcCall(chain.rpcUrl, 'anvil_setCode', [WRITING, WRITING_CODE]);
    client = await PaymentServiceClient.start({ RPC_URLS_ALPHANET: chain.rpcUrl });
    await client.admin.query(
      `INSERT INTO assets (id, version, chain, decimals, asset, listed)
       VALUES ($1, 1, 'alphanet', 18, '{"symbol": "ETH", "decimals": 18}', true)`,
      [NATIVE],
    );
  });
  afterAll(async () => {
    await client.stop();
    await chain.stop();
  });

  const stored = async (): Promise<unknown> =>
    (await client.admin.query(`SELECT count(*)::int AS n FROM payments`)) as unknown;
  const refused = async (state: QuoteState, overrides: Record<string, unknown> = {}) => {
    const before = await stored();
    const body = await client.aConfirmation(overrides, state);
    const answer = await client.request<ErrorBody>('/payments/confirm', { method: 'POST', body });
    expect(await stored()).toEqual(before);
    return { status: answer.status, errors: answer.body.errors, headers: answer.headers };
  };

  it('accepts custom actions that the minimum pays for, and declares them', async () => {
    const { declaration } = await client.confirmed({}, stateOf(deposits(99_000_000n)));
    const calls = parseDeclaration(declaration).legs.at(-1)?.customCalls;
    expect(calls?.map(({ target }) => target)).toEqual([usdc, usdcVault]);
  });

  it('refuses custom actions that would revert, with their reason', async () => {
    const { status, errors } = await refused(stateOf(deposits(99_000_001n)));
    expect({ status, errors }).toEqual({
      status: 400,
      errors: [
        {
          kind: 'other',
          message: expect.stringMatching(/^The custom actions would fail: error 0x/),
        },
      ],
    });
  });

  it('refuses another destination than the custom actions were quoted for', async () => {
    const state = stateOf(deposits(1n), { dest: DESTINATION });
    const { status, errors } = await refused(state, { destination_address: REJECTING });
    expect({ status, errors }).toMatchObject({
      status: 400,
      errors: [{ code: 'custom', path: ['destination_address'] }],
    });
  });

  it('refuses a destination that would refuse the payout', async () => {
    const state = stateOf(undefined, { output: NATIVE });
    const { status, errors } = await refused(state, { destination_address: REJECTING });
    expect({ status, errors }).toEqual({
      status: 400,
      errors: [{ kind: 'destination', message: 'The destination would refuse the payout: no.' }],
    });
  });

  it('refuses a destination that needs more gas than is paid for, with a reason to requote', async () => {
    const state = stateOf(undefined, { output: NATIVE });
    const { status, errors } = await refused(state, { destination_address: WRITING });
    const message =
      'The destination needs more gas than a payment pays for. Request a new quote for another destination.';
    expect({ status, errors }).toEqual({ status: 400, errors: [{ kind: 'destination', message }] });
  });

  it('refuses a payment whose gas costs more than the quote allows, with a reason to requote', async () => {
    // The price is at least the tip of one gwei: 200,000 gas cost more than three times this.
    const gasCost = (200_000n * 10n ** 9n) / 3n - 1n;
    const { status, errors } = await refused(stateOf(undefined, { flag: true, gasCost }));
    const message = 'Gas on Alphanet costs more than the quote allows. Request a new quote.';
    expect({ status, errors }).toEqual({ status: 400, errors: [{ kind: 'other', message }] });
  });

  it('accepts a payment whose gas became dearer within the bound', async () => {
    const price = BigInt(String(await rpcCall(chain.rpcUrl, 'eth_gasPrice', [])));
    const state = stateOf(undefined, { gasCost: (200_000n * price) / 2n });
    expect((await client.confirmed({}, state)).status).toBe('PENDING');
  });

  describe('beside a node that reports a gas price of an ether', () => {
    let liar: LyingNode;
    beforeAll(async () => {
      liar = await startLyingNode(chain.rpcUrl);
      const result = numberToHex(parseEther('1'));
      liar.lies.set('eth_gasPrice', () => Promise.resolve({ result }));
    });
    afterAll(() => liar.stop());

    /** Confirms a payment where the service knows this node, too. */
    const confirmBeside = async (other: string) => {
      const service = await client.startAnother({ RPC_URLS_ALPHANET: `${liar.url},${other}` });
      try {
        const state = stateOf(undefined, { flag: true, gasCost: 10n ** 15n });
        const body = await client.aConfirmation({}, state);
        const path = '/payments/confirm';
        return await client.request<ErrorBody>(path, { method: 'POST', body, at: service.url });
      } finally {
        await service.shutdown({ graceMs: 0 });
      }
    };

    it('accepts a payment that only one of two finds too expensive', async () => {
      expect((await confirmBeside(chain.rpcUrl)).status).toBe(200);
    });

    it('refuses it where both do, and answers 503 where the other one is away', async () => {
      expect((await confirmBeside(liar.url)).status).toBe(400);
      expect((await confirmBeside('http://127.0.0.1:9')).status).toBe(503);
    });
  });

  describe('on a rollup that charges for data', () => {
    /** Far more than the gas costs. */
    const gasCost = 10n ** 17n;
    const allowed = 3n * gasCost;
    let rollup: PaymentServiceClient;
    beforeAll(async () => {
      const dataFeeOracle = await setDataFee(chain.rpcUrl, 0n);
      const env = { RPC_URLS_ALPHANET: chain.rpcUrl };
      rollup = await PaymentServiceClient.start(env, withChains({ dataFeeOracle }));
      await rollup.admin.query(
        `INSERT INTO assets (id, version, chain, decimals, asset, listed)
         VALUES ($1, 1, 'alphanet', 18, '{"symbol": "ETH", "decimals": 18}', true)`,
        [NATIVE],
      );
    });
    afterAll(() => rollup.stop());

    const confirm = async (wish: { output?: typeof USDC; custom?: CustomActions }) => {
      const { custom, ...rest } = wish;
      const state = stateOf(custom, { ...rest, gasCost });
      const answer = await rollup.request<ErrorBody>('/payments/confirm', {
        method: 'POST',
        body: await rollup.aConfirmation({}, state),
      });
      return { status: answer.status, errors: answer.body.errors };
    };
    const refusal = {
      status: 400,
      errors: [
        {
          kind: 'other',
          message: 'Gas on Alphanet costs more than the quote allows. Request a new quote.',
        },
      ],
    };

    it('refuses a payment whose data fee alone exceeds what the quote allows, and accepts it below', async () => {
      await setDataFee(chain.rpcUrl, allowed / 1_000n);
      expect(await confirm({})).toEqual(refusal);
      await setDataFee(chain.rpcUrl, allowed / 1_600n);
      expect((await confirm({})).status).toBe(200);
    });

    it('counts the route of a conversion and the calls of custom actions', async () => {
      await setDataFee(chain.rpcUrl, allowed / 1_600n);
      expect(await confirm({ output: NATIVE })).toEqual(refusal);
      expect(await confirm({ custom: deposits(99_000_000n) })).toEqual(refusal);
      await setDataFee(chain.rpcUrl, allowed / 4_000n);
      expect((await confirm({ output: NATIVE })).status).toBe(200);
      expect((await confirm({ custom: deposits(99_000_000n) })).status).toBe(200);
    });

    it('answers 503 while the data fee cannot be read', async () => {
      await rpcCall(chain.rpcUrl, 'anvil_setCode', [
        await setDataFee(chain.rpcUrl, 0n),
        REJECTING_CODE,
      ]);
      expect((await confirm({})).status).toBe(503);
    });
  });

  it('accepts it with allow_unsafe_transfer_out, and every other destination without', async () => {
    const overrides = { destination_address: REJECTING };
    const accepted = await Promise.all([
      client.confirmed(overrides, stateOf(undefined, { output: NATIVE, flag: true })),
      client.confirmed({}, stateOf(undefined, { output: NATIVE })),
      client.confirmed(overrides, stateOf(undefined)),
    ]);
    expect(accepted.map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'PENDING']);
  });

  it('lets the destination of the confirm win without custom actions', async () => {
    const { destination_address } = await client.confirmed(
      {},
      stateOf(undefined, { dest: REJECTING }),
    );
    expect(destination_address).toBe(DESTINATION);
  });

  describe('on a chain that is down', () => {
    let offline: PaymentServiceClient;
    beforeAll(async () => {
      offline = await PaymentServiceClient.start();
    });
    afterAll(() => offline.stop());

    it.each([
      ['custom actions', stateOf(deposits(1n))],
      ['a payout', stateOf(undefined)],
    ])('answers 503 with Retry-After for %s, and stores nothing', async (_, state) => {
      const body = await offline.aConfirmation({}, state);
      const answer = await offline.request('/payments/confirm', { method: 'POST', body });
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      const rows: unknown = await offline.admin.query(`SELECT id FROM payments`);
      expect(rows).toEqual([]);
    });
  });

  it('answers 409 for a payment that is confirmed, although its actions would revert now', async () => {
    const state = stateOf(deposits(99_000_000n));
    await client.confirmed({}, state);
    // The vault takes nothing any more.
    await rpcCall(chain.rpcUrl, 'anvil_setCode', [usdcVault, REJECTING_CODE]);
    const { status } = await refused(state);
    expect(status).toBe(409);
  });
});
