import type { ErrorBody, ValidationError } from '@bascule/contracts';
import { developmentAddresses, oneTimeWalletAddress, parseDeclaration } from '@bascule/solidity';
import type { TestChain } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestClient, http } from 'viem';
import type { Address, Hex } from 'viem';
import {
  aBridgedPlan,
  aBridgedQuote,
  BETA_USDC,
  BETA_WETH,
  ESCROW,
} from '../testing/a-bridged-payment.fixture.js';
import { OWNER } from '../testing/a-payment.fixture.js';
import { aQuoteState, USDC, WETH } from '../testing/a-quote.fixture.js';
import type { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { startOnTwoChains } from '../testing/two-chains.fixture.js';
import type { TwoChains } from '../testing/two-chains.fixture.js';

/** Answers every call with 32 bytes. */
const CODE = '0x60206000f3';
const DELEGATION: Hex = `0xef0100${'ab'.repeat(20)}`;
let accounts = 0xa11ce0000;
const anAccount = (): Address => {
  accounts += 1;
  return `0x${accounts.toString(16).padStart(40, '7')}`;
};

describe('POST /payments/confirm of a cross-chain payment', () => {
  let chains: TwoChains;
  let client: PaymentServiceClient;

  beforeAll(async () => {
    chains = await startOnTwoChains();
    ({ client } = chains);
  });
  afterAll(() => chains.stop());

  const hasCode = ({ rpcUrl }: TestChain, address: Address, bytecode: Hex) =>
    createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).setCode({ address, bytecode });

  const aState = (plan = aBridgedPlan()) => {
    const prices = {
      [USDC]: '1',
      [BETA_USDC]: '1',
      [WETH]: '3000',
      [BETA_WETH]: '3000',
      usd: '1.0',
    };
    return aQuoteState({ quotes: [{ quote: aBridgedQuote(), plan }], current_prices: prices });
  };
  const confirmation = (overrides: object = {}, state = aState()) =>
    client.aConfirmation({ allow_unsafe_owner: false, ...overrides }, state);
  const ownedBy = (owner_address: Address, rest: object = {}, state = aState()) =>
    confirmation({ owner_address, ...rest }, state);

  async function refused(body: Record<string, unknown>) {
    const count = 'SELECT count(*)::int AS n FROM payments';
    const before: unknown = await client.admin.query(count);
    const answer = await client.request<ErrorBody>('/payments/confirm', { method: 'POST', body });
    expect(await client.admin.query(count)).toEqual(before);
    return { status: answer.status, errors: answer.body.errors };
  }

  async function accepted(body: Record<string, unknown>): Promise<string[] | null> {
    const { status, body: payment } = await client.confirm(body);
    expect([status, payment]).toEqual([200, expect.anything()]);
    const rows: { owner_chains: string[] | null }[] = await client.admin.query(
      'SELECT owner_chains FROM payments WHERE id = $1',
      [payment.payment_id],
    );
    return rows[0]?.owner_chains ?? null;
  }

  it('declares both legs with the adapter and its minimum delivery', async () => {
    const { status, body } = await client.confirm(await confirmation());
    expect(status).toBe(200);
    const declaration = parseDeclaration(body.declaration);
    const [first, last] = declaration.legs;
    expect(first).toMatchObject({
      chainId: 31337n,
      bridgeAdapter: ESCROW,
      minBridged: 98_405_500n,
      outputToken: developmentAddresses.usdc,
    });
    expect(last).toMatchObject({ chainId: 31338n, maxInput: 103_845_000n, minBridged: 0n });
    const wallet = oneTimeWalletAddress(declaration);
    expect(body.processing_addresses.map(({ chain, address }) => [chain, address])).toEqual([
      ['alphanet', wallet],
      ['betanet', wallet],
    ]);
  });

  it.each([
    ['a token of the first leg', USDC.slice(9)],
    ['a token of the second leg', BETA_WETH.slice(8)],
    ['the adapter of the bridge', ESCROW.toLowerCase()],
  ])('refuses %s as owner and as destination', async (_, address) => {
    for (const field of ['owner_address', 'destination_address']) {
      const { status, errors } = await refused(await confirmation({ [field]: address }));
      expect(status).toBe(400);
      expect(errors.map((error) => (error as ValidationError).path)).toEqual([[field]]);
    }
  });

  it.each([
    ['an adapter of another bridge', { adapter: `0x${'5'.repeat(40)}` }],
    ['a bridge that is not configured', { name: 'across' }],
  ])('refuses a plan with %s', async (_, overrides) => {
    const plan = aBridgedPlan();
    const legs = plan.legs.map((leg) =>
      leg.bridge ? { ...leg, bridge: { ...leg.bridge, ...overrides } } : leg,
    );
    expect((await refused(await confirmation({}, aState({ ...plan, legs })))).status).toBe(503);
  });

  it('accepts owners that sign on every chain', async () => {
    expect(await accepted(await ownedBy(OWNER))).toBeNull();
    const delegated = anAccount();
    await hasCode(chains.alphanet, delegated, DELEGATION);
    expect(await accepted(await ownedBy(delegated))).toBeNull();
  });

  it('accepts a contract owner deployed on every leg’s chain', async () => {
    const owner = anAccount();
    await hasCode(chains.alphanet, owner, CODE);
    await hasCode(chains.betanet, owner, CODE);
    expect(await accepted(await ownedBy(owner))).toEqual(['alphanet', 'betanet']);
  });

  it('refuses a contract owner missing on a leg’s chain unless the request accepts it', async () => {
    const owner = anAccount();
    await hasCode(chains.alphanet, owner, CODE);
    expect(await refused(await ownedBy(owner))).toEqual({
      status: 400,
      errors: [
        {
          kind: 'owner',
          message: 'The owner is a contract that does not exist on betanet.',
          mitigation: 'change',
        },
      ],
    });
    expect(await accepted(await ownedBy(owner, { allow_unsafe_owner: true }))).toEqual([
      'alphanet',
    ]);
    const state = aQuoteState();
    const here = await ownedBy(owner, {}, state);
    expect(await accepted(here)).toEqual(['alphanet']);
  });

  it.each([
    ['returns nothing', '0x60016001'],
    ['returns four bytes', '0x60046000f3'],
    ['reverts without data', '0x60006000fd'],
    ['never ends', '0x5b600056'],
  ] as const)('refuses a contract owner that %s when asked to verify', async (_, code) => {
    const owner = anAccount();
    await hasCode(chains.alphanet, owner, code);
    const { status, errors } = await refused(await ownedBy(owner, {}, aQuoteState()));
    expect(status).toBe(400);
    expect(errors).toEqual([
      {
        kind: 'owner',
        message: 'The owner is a contract that does not verify signatures (ERC-1271) on alphanet.',
        mitigation: 'change',
      },
    ]);
    const unsafe = await ownedBy(owner, { allow_unsafe_owner: true }, aQuoteState());
    expect(await accepted(unsafe)).toEqual(['alphanet']);
  });

  it.each([
    ['reverts with data', '0x60046000fd'],
    [
      'reverts without data only on signatures of another form',
      '0x3660c810600c5760006000fd5b60206000f3',
    ],
  ] as const)('accepts a contract owner that %s', async (_, code) => {
    const owner = anAccount();
    await hasCode(chains.alphanet, owner, code);
    expect(await accepted(await ownedBy(owner, {}, aQuoteState()))).toEqual(['alphanet']);
  });

  it('reports a missing contract and an unsupported one together', async () => {
    const owner = anAccount();
    await hasCode(chains.alphanet, owner, '0x60006000fd');
    const { errors } = await refused(await ownedBy(owner));
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('does not exist on betanet') }),
      expect.objectContaining({ message: expect.stringContaining('(ERC-1271) on alphanet') }),
    ]);
  });

  it('refuses a contract owner deployed only on other chains', async () => {
    const owner = anAccount();
    await hasCode(chains.betanet, owner, CODE);
    const { status, errors } = await refused(await ownedBy(owner, {}, aQuoteState()));
    expect(status).toBe(400);
    expect(errors).toMatchObject([{ kind: 'owner', mitigation: 'change' }]);
  });

  it('is unavailable only while a chain of the payment cannot be read', async () => {
    await chains.betanet.stop();
    expect((await refused(await ownedBy(OWNER))).status).toBe(503);
    expect(await accepted(await ownedBy(OWNER, { allow_unsafe_owner: true }))).toBeNull();
    expect(await accepted(await ownedBy(OWNER, {}, aQuoteState()))).toBeNull();
    const there = await ownedBy(OWNER, { owner_chain: 'betanet' }, aQuoteState());
    expect((await refused(there)).status).toBe(503);
  });
});
