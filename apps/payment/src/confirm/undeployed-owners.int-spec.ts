import type { ErrorBody, Payment, QuoteState } from '@bascule/contracts';
import { developmentAddresses } from '@bascule/solidity';
import { deployAccountFactory } from '@bascule/testing';
import type { TestChain } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  concat,
  createTestClient,
  getCreate2Address,
  http,
  publicActions,
  serializeErc6492Signature,
} from 'viem';
import type { Address, Hex } from 'viem';
import {
  aBridgedPlan,
  aBridgedQuote,
  BETA_USDC,
  BETA_WETH,
} from '../testing/a-bridged-payment.fixture.js';
import { aPlan, aQuote, aQuoteState, USDC, WETH } from '../testing/a-quote.fixture.js';
import { aKey, askedOf, continuation, signWith } from '../testing/owner-signatures.fixture.js';
import type { Sign } from '../testing/owner-signatures.fixture.js';
import type { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { startOnTwoChains } from '../testing/two-chains.fixture.js';
import type { TwoChains } from '../testing/two-chains.fixture.js';

/** At 3,000 dollars for one WETH. */
const LARGE = '0.5';
/** Code of an account that accepts every signature on the chain 31337, and none elsewhere. */
const ALPHANETS_CODE: Hex = '0x46617a6914631626ba7e0260e01b60005260206000f3';
/** Creation code of that account. */
const ALPHANETS_ACCOUNT = concat(['0x75', ALPHANETS_CODE, '0x6000526016600af3']);
/** Bytes that no key signed. */
const ANY_SIGNATURE: Hex = `0x${'11'.repeat(65)}`;

/** Owner whose account does not exist on any chain yet. */
interface UndeployedOwner {
  address: Address;
  sign: Sign;
}

describe('POST /payments/confirm for an owner that is not deployed yet (ERC-6492)', () => {
  let chains: TwoChains;
  let client: PaymentServiceClient;

  beforeAll(async () => {
    chains = await startOnTwoChains();
    ({ client } = chains);
  });
  afterAll(() => chains.stop());

  const nodeOf = ({ rpcUrl }: TestChain) =>
    createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions);

  /** Owner whose factory exists on these chains only. */
  async function anOwner(...deployable: TestChain[]): Promise<UndeployedOwner> {
    const key = aKey();
    const factory = await deployAccountFactory(chains.alphanet.rpcUrl);
    const address = await factory.accountOf(key.address);
    const code = await nodeOf(chains.alphanet).getCode(factory);
    for (const chain of [chains.alphanet, chains.betanet]) {
      const bytecode = (deployable.includes(chain) ? code : undefined) ?? '0x';
      await nodeOf(chain).setCode({ address: factory.address, bytecode });
    }
    return {
      address,
      sign: async (asked) => factory.undeployed(key, await signWith(key)(asked)),
    };
  }

  const here = (): QuoteState => {
    const quote = { ...aQuote(), output_amount: { asset: WETH, amount: LARGE } };
    return aQuoteState({ quotes: [{ quote, plan: aPlan() }] });
  };
  const across = (): QuoteState => {
    const quote = { ...aBridgedQuote(), output_amount: { asset: BETA_WETH, amount: LARGE } };
    const prices = { [USDC]: '1', [BETA_USDC]: '1', [WETH]: '3000', [BETA_WETH]: '3000', usd: '1' };
    return aQuoteState({ quotes: [{ quote, plan: aBridgedPlan() }], current_prices: prices });
  };
  const confirm = async ({ address }: UndeployedOwner, state: QuoteState, rest: object = {}) => {
    const stated = { owner_address: address, allow_unsafe_owner: false, ...rest };
    return (await client.confirm(await client.aConfirmation(stated, state))).body;
  };
  /** Confirms a payment, and answers with the owner's signature of its message. */
  async function verify(owner: UndeployedOwner, state: QuoteState, rest: object = {}) {
    const asked = askedOf(await confirm(owner, state, rest));
    expect(asked.verifications.map(({ reason }) => reason)).toEqual(['EVM_OWNER']);
    const body = await continuation(asked, owner.sign);
    return client.request<Payment & ErrorBody>('/payments/confirm', { method: 'POST', body });
  }
  const rows = (query: string, ...values: string[]): Promise<Record<string, unknown>[]> =>
    client.admin.query(query, values);
  const paymentCount = () => rows('SELECT count(*)::int AS n FROM payments');
  const verifiedOn = async ({ address }: UndeployedOwner) =>
    (
      await rows(
        'SELECT chain FROM owner_verifications WHERE address = $1 ORDER BY chain',
        address.toLowerCase(),
      )
    ).map(({ chain }) => chain);

  const missingOn = (chain: string) => ({
    status: 400,
    body: {
      errors: [
        {
          kind: 'owner',
          message: `The owner is a contract that does not exist on ${chain}.`,
          mitigation: 'change',
        },
      ],
    },
  });

  it('refuses a crossing to a chain on which it cannot be deployed', async () => {
    const owner = await anOwner(chains.alphanet);
    const before = await paymentCount();
    expect(await verify(owner, across())).toMatchObject(missingOn('betanet'));
    expect([await verifiedOn(owner), await paymentCount()]).toEqual([['alphanet'], before]);

    // Its signature counts on the chain that accepted it, whatever became of the payment.
    expect((await confirm(owner, here())).status).toBe('PENDING');
    // Verified for one chain, it is asked again for two.
    expect(await verify(owner, across())).toMatchObject(missingOn('betanet'));
  });

  it('refuses a payment on one chain when it can be deployed only on the stated other one', async () => {
    const owner = await anOwner(chains.betanet);
    const stated = { owner_chain: 'betanet' };
    const before = await paymentCount();
    expect(await verify(owner, here(), stated)).toMatchObject(missingOn('alphanet'));
    expect([await verifiedOn(owner), await paymentCount()]).toEqual([['betanet'], before]);
    expect(await verify(owner, here(), stated)).toMatchObject(missingOn('alphanet'));
  });

  it('accepts one that can be deployed on every leg’s chain, and remembers them', async () => {
    const owner = await anOwner(chains.alphanet, chains.betanet);
    expect((await verify(owner, across())).body.status).toBe('PENDING');
    expect(await verifiedOn(owner)).toEqual(['alphanet', 'betanet']);
    expect((await confirm(owner, across())).status).toBe('PENDING');
    expect((await confirm(owner, here())).status).toBe('PENDING');
  });

  it('accepts one whose signatures are bound to the chain of its message', async () => {
    const factory = developmentAddresses.create2Deployer;
    const salt = `0x${'5a'.repeat(32)}` as const;
    const owner: UndeployedOwner = {
      address: getCreate2Address({ from: factory, salt, bytecode: ALPHANETS_ACCOUNT }),
      sign: () =>
        Promise.resolve(
          serializeErc6492Signature({
            address: factory,
            data: concat([salt, ALPHANETS_ACCOUNT]),
            signature: ANY_SIGNATURE,
          }),
        ),
    };
    expect((await verify(owner, across(), { owner_chain: 'betanet' })).status).toBe(401);
    expect((await verify(owner, across())).body.status).toBe('PENDING');
  });

  it('accepts one that cannot be deployed on a chain when the request allows it', async () => {
    const owner = await anOwner(chains.alphanet);
    const unsafe = { allow_unsafe_owner: true };
    expect((await verify(owner, across(), unsafe)).body.status).toBe('PENDING');
    expect(await verifiedOn(owner)).toEqual(['alphanet']);
    expect((await confirm(owner, across(), unsafe)).status).toBe('PENDING');
    expect((await confirm(owner, across())).status).toBe('UNCONFIRMED');
  });

  it('accepts a key whose code signs on one chain only (EIP-7702)', async () => {
    const delegate = aKey().address;
    const owner: UndeployedOwner = {
      address: aKey().address,
      sign: () => Promise.resolve(ANY_SIGNATURE),
    };
    const { address } = owner;
    await nodeOf(chains.alphanet).setCode({ address: delegate, bytecode: ALPHANETS_CODE });
    await nodeOf(chains.alphanet).setCode({ address, bytecode: concat(['0xef0100', delegate]) });
    expect((await verify(owner, across())).body.status).toBe('PENDING');
    expect((await confirm(owner, across())).status).toBe('PENDING');
  });

  it('is asked to try again while a leg’s chain cannot be read', async () => {
    const owner = await anOwner(chains.alphanet, chains.betanet);
    const asked = askedOf(await confirm(owner, across()));
    const body = await continuation(asked, owner.sign);
    await chains.betanet.stop();
    const { status } = await client.request('/payments/confirm', { method: 'POST', body });
    expect([status, await verifiedOn(owner)]).toEqual([503, ['alphanet']]);
  });
});
