import type { ErrorBody, Payment, QuoteState } from '@bascule/contracts';
import {
  contractAddresses,
  oneTimeWalletAbi,
  oneTimeWalletAddress,
  parseDeclaration,
  withdrawalCall,
} from '@bascule/solidity';
import type { ServiceAuthorization } from '@bascule/solidity';
import {
  deployAccountFactory,
  deployCode,
  eventually,
  REFUSING_ACCOUNT_CODE,
  deploySafe,
} from '@bascule/testing';
import type { AccountFactory } from '@bascule/testing';
import { chainDefinitions, Chains, parseChainsConfig } from '@bascule/chain';
import { developmentAccounts } from '@bascule/local-stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWalletClient, http } from 'viem';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  aBridgedPlan,
  aBridgedQuote,
  BETA_USDC,
  BETA_WETH,
} from '../testing/a-bridged-payment.fixture.js';
import { aPlan, aQuote, aQuoteState, USDC, WETH } from '../testing/a-quote.fixture.js';
import { ChainUnderTest } from '../testing/chain-under-test.fixture.js';
import {
  aKey,
  askedOf,
  continuation,
  digestOf,
  signWith,
  typedDataOf,
} from '../testing/owner-signatures.fixture.js';
import type { Sign } from '../testing/owner-signatures.fixture.js';
import type { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { startOnTwoChains } from '../testing/two-chains.fixture.js';
import type { TwoChains } from '../testing/two-chains.fixture.js';

/** 400 WETH at 3,000 dollars. */
const VERY_LARGE = '400';
const LARGE = '0.5';

/** Accept every signature, after using about this much gas. */
const OWNERS_THAT_USE = {
  '4,000,000': '0x6202800b5b6001900380600457631626ba7e60e01b60005260206000f3',
  '300,000': '0x620030075b6001900380600457631626ba7e60e01b60005260206000f3',
  '200,000': '0x620020045b6001900380600457631626ba7e60e01b60005260206000f3',
} as const;
/** Ends like an ERC-6492 signature. */
const NO_ERC_6492: Hex = `0x${'6492'.repeat(16)}`;
const ANY_SIGNATURE: Hex = `0x${'11'.repeat(65)}`;

describe('an owner that verifies on chain', () => {
  let chains: TwoChains;
  let client: PaymentServiceClient;
  let factory: AccountFactory;
  let node: ChainUnderTest;

  beforeAll(async () => {
    chains = await startOnTwoChains();
    const { alphanet } = chains;
    ({ client } = chains);
    factory = await deployAccountFactory(alphanet.rpcUrl);
    const known = parseChainsConfig({ CHAINS: 'alphanet', RPC_URLS_ALPHANET: alphanet.rpcUrl });
    node = new ChainUnderTest(new Chains(known).get('alphanet'), alphanet);
  });
  afterAll(() => chains.stop());

  const worth = (amount: string): QuoteState => {
    const quote = { ...aQuote(), output_amount: { asset: WETH, amount } };
    return aQuoteState({ quotes: [{ quote, plan: aPlan() }] });
  };
  const across = (amount: string): QuoteState => {
    const quote = { ...aBridgedQuote(), output_amount: { asset: BETA_WETH, amount } };
    const prices = { [USDC]: '1', [BETA_USDC]: '1', [WETH]: '3000', [BETA_WETH]: '3000', usd: '1' };
    return aQuoteState({ quotes: [{ quote, plan: aBridgedPlan() }], current_prices: prices });
  };
  const confirm = async (owner_address: Address, state: QuoteState, rest: object = {}) =>
    client.confirm(
      await client.aConfirmation({ owner_address, allow_unsafe_owner: false, ...rest }, state),
    );
  const ask = async (owner: Address, state: QuoteState, rest: object = {}) =>
    askedOf((await confirm(owner, state, rest)).body);
  const answer = (body: unknown) =>
    client.request<Payment & ErrorBody>('/payments/confirm', { method: 'POST', body });
  const storedPayments = (): Promise<unknown> =>
    client.admin.query('SELECT count(*)::int AS n FROM payments');
  const send = async (call: { to: Address; data: Hex }): Promise<void> => {
    const account = privateKeyToAccount(developmentAccounts[0].privateKey);
    const wallet = createWalletClient({ account, transport: http(chains.alphanet.rpcUrl) });
    await node.mined(await wallet.sendTransaction({ chain: null, ...call }));
  };

  /** Plays both rounds, first with a wrong signature; returns the confirmed payment. */
  async function verifies(owner: Address, sign: Sign, wrong: Sign): Promise<Payment> {
    const asked = await ask(owner, worth(LARGE), { simulate_withdrawal: true });
    expect(asked.verifications.map(({ reason }) => reason)).toEqual([
      'EVM_OWNER',
      'EVM_WITHDRAWAL',
    ]);
    const before = await storedPayments();
    for (const reason of ['EVM_OWNER', 'EVM_WITHDRAWAL'] as const) {
      const { status, body } = await answer(await continuation(asked, wrong, reason));
      expect([status, body.errors]).toMatchObject([401, [{ kind: 'owner', mitigation: 'verify' }]]);
    }
    expect(await storedPayments()).toEqual(before);
    const { status, body } = await answer(await continuation(asked, sign));
    expect([status, body.status]).toEqual([200, 'PENDING']);
    return body;
  }

  it('may be a key', async () => {
    const key = aKey();
    const payment = await verifies(key.address, signWith(key), signWith(aKey()));
    expect(payment.owner_address).toBe(key.address);
  });

  it('may be a contract (ERC-1271), verified for its chain', async () => {
    const key = aKey();
    await factory.deploy(key.address);
    const owner = await factory.accountOf(key.address);
    await verifies(owner, signWith(key), signWith(aKey()));
    expect((await confirm(owner, worth(LARGE))).body.status).toBe('PENDING');
    const rows: unknown[] = await client.admin.query(
      'SELECT chain FROM owner_verifications WHERE address = $1',
      [owner.toLowerCase()],
    );
    expect(rows).toEqual([{ chain: 'alphanet' }]);
    const elsewhere = { owner_chain: 'betanet', allow_unsafe_owner: true };
    // The contract exists on alphanet only, so that is where it signs.
    expect((await confirm(owner, worth(LARGE), elsewhere)).body.status).toBe('PENDING');
    await client.admin.query(
      `UPDATE owner_verifications SET chain = 'betanet' WHERE address = $1`,
      [owner.toLowerCase()],
    );
    expect((await confirm(owner, worth(LARGE))).body.status).toBe('UNCONFIRMED');
  });

  it('may be a contract that is not deployed yet (ERC-6492)', async () => {
    const key = aKey();
    const owner = await factory.accountOf(key.address);
    const stranger = aKey();
    const sign: Sign = async (asked) => factory.undeployed(key, await signWith(key)(asked));
    const wrong: Sign = async (asked) => factory.undeployed(key, await signWith(stranger)(asked));
    await verifies(owner, sign, wrong);
    const malformed: Sign = () => Promise.resolve(NO_ERC_6492);
    const asked = await ask(owner, worth(LARGE), { simulate_withdrawal: true });
    expect((await answer(await continuation(asked, malformed))).status).toBe(401);
    expect((await confirm(owner, worth(LARGE))).body.status).toBe('PENDING');
  });

  it('may be a key that delegates to a refusing contract (EIP-7702)', async () => {
    const key = aKey();
    const delegate = await deployCode(chains.alphanet.rpcUrl, REFUSING_ACCOUNT_CODE);
    const sponsor = createWalletClient({
      account: privateKeyToAccount(developmentAccounts[0].privateKey),
      chain: node.chain.anyNode.client.chain,
      transport: http(chains.alphanet.rpcUrl),
    });
    const authorization = await sponsor.signAuthorization({
      account: key,
      contractAddress: delegate,
    });
    await node.mined(
      await sponsor.sendTransaction({ to: aKey().address, authorizationList: [authorization] }),
    );
    expect(await node.node.getCode({ address: key.address })).toMatch(/^0xef0100/);
    await verifies(key.address, signWith(key), signWith(aKey()));
  });

  it('may be a Safe, two of three of whose owners sign', async () => {
    const [one, two, three] = [aKey(), aKey(), aKey()];
    const owners = [one.address, two.address, three.address];
    const safe = await deploySafe(chains.alphanet.rpcUrl, owners, 2);
    const bySafe =
      (...signers: ReturnType<typeof aKey>[]): Sign =>
      (asked) =>
        safe.sign(digestOf(asked), signers);
    await verifies(safe.address, bySafe(three, one), bySafe(two));
    const asked = await ask(safe.address, worth(VERY_LARGE));
    expect(asked.verifications.map(({ reason }) => reason)).toEqual(['EVM_WITHDRAWAL']);
    const byStranger = await continuation(asked, bySafe(two, aKey()));
    expect((await answer(byStranger)).status).toBe(401);
    expect((await answer(await continuation(asked, bySafe(one, two)))).status).toBe(200);
  });

  describe('a payment of a million dollars', () => {
    it('is signed in two rounds, or both at once', async () => {
      const key = aKey();
      const first = await ask(key.address, worth(VERY_LARGE));
      const reasons = (asked: typeof first) => asked.verifications.map(({ reason }) => reason);
      expect(reasons(first)).toEqual(['EVM_OWNER', 'EVM_WITHDRAWAL']);
      const before = await storedPayments();
      const one = await answer(await continuation(first, signWith(key), 'EVM_OWNER'));
      const second = askedOf(one.body);
      expect(reasons(second)).toEqual(['EVM_WITHDRAWAL']);
      expect(await storedPayments()).toEqual(before);
      const owner = (await continuation(first, signWith(key), 'EVM_OWNER')).signatures;
      const both = await continuation(second, signWith(key));
      const { body } = await answer({ ...both, signatures: [...owner, ...both.signatures] });
      expect(body.status).toBe('PENDING');

      const other = aKey();
      const reversed = await ask(other.address, worth(VERY_LARGE));
      const last = await answer(await continuation(reversed, signWith(other), 'EVM_WITHDRAWAL'));
      expect(reasons(askedOf(last.body))).toEqual(['EVM_OWNER']);
      const end = await continuation(askedOf(last.body), signWith(other));
      expect((await answer(end)).body.status).toBe('PENDING');
    });

    it('is signed for although its owner has verified before', async () => {
      const key = aKey();
      await answer(await continuation(await ask(key.address, worth(LARGE)), signWith(key)));
      for (const _ of [1, 2]) {
        const { verifications } = await ask(key.address, worth(VERY_LARGE));
        expect(verifications.map(({ reason }) => reason)).toEqual(['EVM_WITHDRAWAL']);
      }
    });
  });

  it('need not sign a message once another payment has verified it', async () => {
    const key = aKey();
    const asked = await ask(key.address, worth(VERY_LARGE));
    await answer(await continuation(await ask(key.address, worth(LARGE)), signWith(key)));
    const { body } = await answer(await continuation(asked, signWith(key), 'EVM_WITHDRAWAL'));
    expect(body.status).toBe('PENDING');
  });

  it('signs a withdrawal of the very payment that can move nothing', async () => {
    const key = aKey();
    const state = worth(VERY_LARGE);
    const { body } = await confirm(key.address, state);
    const declaration = parseDeclaration(body.declaration);
    const [, asked] = askedOf(body).verifications;
    const typedData = typedDataOf(asked?.payload ?? '');
    expect(typedData).toMatchObject({
      domain: { name: 'OneTimeWallet', version: '1' },
      primaryType: 'ServiceAuthorization',
      message: {
        actions: [],
        accept_blame: false,
        chain_id: '31337',
        description: expect.stringContaining(`payment ${body.payment_id}`),
      },
    });
    expect(asked?.payload).toContain('EIP712Domain');

    const confirmed = await answer(await continuation(askedOf(body), signWith(key)));
    expect(confirmed.body.declaration).toEqual(body.declaration);
    const authorization = typedData.message as unknown as Record<string, string>;
    const seconds = BigInt(authorization['nonce'] ?? 0) >> 192n;
    expect(Number(seconds) * 1_000).toBeLessThanOrEqual(Date.parse(state.accept_by));

    // A stranger who has seen the signature submits it.
    const wallet = oneTimeWalletAddress(declaration);
    await node.send(USDC, wallet, 1_000_000n);
    const { multicall3 } = chainDefinitions['alphanet']?.contracts ?? { multicall3: wallet };
    const signed: ServiceAuthorization = {
      description: String(authorization['description']),
      actions: [],
      nonce: BigInt(authorization['nonce'] ?? 0),
      signatory_declaration_hash: authorization['signatory_declaration_hash'] as Hex,
      chain_id: 31337n,
      accept_blame: false,
    };
    const signature = await key.signTypedData(typedData);
    await send(
      withdrawalCall(declaration, signed, signature, { wallet, isDeployed: false, multicall3 }),
    );
    const ended = await node.node.readContract({
      address: wallet,
      abi: oneTimeWalletAbi,
      functionName: 'executorEnded',
    });
    expect([await node.balance(USDC, wallet), ended]).toEqual([1_000_000n, false]);
    // Found in a later block, so the withdrawal has been seen.
    await node.send(USDC, wallet, 2_000_000n);
    await node.node.mine({ blocks: 3 });
    const after = await eventually(async () => {
      const found = await client.status(body.payment_id);
      expect(JSON.stringify(found.issues)).toContain('3000000');
      return found;
    });
    expect(after).toMatchObject({ status: 'PENDING', withdrawals: null });
  });

  it('signs one withdrawal per chain of the payment, in its order', async () => {
    const key = aKey();
    const asked = await ask(key.address, across(VERY_LARGE));
    expect(asked.verifications.map(({ reason }) => reason)).toEqual([
      'EVM_OWNER',
      'EVM_WITHDRAWAL',
      'EVM_WITHDRAWAL',
    ]);
    const chains = asked.verifications
      .slice(1)
      .map(({ payload }) => (typedDataOf(payload).message as { chain_id: string }).chain_id);
    expect(chains).toEqual(['31337', '31338']);
    const { verification_token, signatures } = await continuation(asked, signWith(key));
    const [owner, first, second] = signatures;
    const swapped = { verification_token, signatures: [owner, second, first] };
    expect((await answer(swapped)).status).toBe(401);
    const partial = { verification_token, signatures: [owner, first] };
    expect((await answer(partial)).status).toBe(400);
    expect((await answer({ verification_token, signatures })).body.status).toBe('PENDING');
  });

  it('is refused when its contract never ends', async () => {
    const owner = aKey().address;
    await node.node.setCode({ address: owner, bytecode: '0x5b600056' });
    const unsafe = { allow_unsafe_owner: true, simulate_withdrawal: true };
    const asked = await ask(owner, worth(LARGE), unsafe);
    const sign: Sign = () => Promise.resolve(ANY_SIGNATURE);
    for (const reason of ['EVM_OWNER', 'EVM_WITHDRAWAL'] as const) {
      expect((await answer(await continuation(asked, sign, reason))).status).toBe(401);
    }
  });

  it('is refused when its contract needs more gas than any that verifies signatures', async () => {
    const owner = aKey().address;
    await node.node.setCode({ address: owner, bytecode: OWNERS_THAT_USE['4,000,000'] });
    expect((await confirm(owner, worth(LARGE))).status).toBe(400);
  });

  it.each([
    ['4,000,000', 400],
    ['300,000', 400],
    ['200,000', 200],
  ] as const)(
    'withdraws with at most the gas that the service spends: its contract uses %s',
    async (gas, expected) => {
      const owner = aKey().address;
      await node.node.setCode({ address: owner, bytecode: OWNERS_THAT_USE[gas] });
      const unsafe = { allow_unsafe_owner: true, simulate_withdrawal: true };
      const asked = await ask(owner, worth(LARGE), unsafe);
      const sign: Sign = () => Promise.resolve(ANY_SIGNATURE);
      const { verifications } = askedOf(
        (await answer(await continuation(asked, sign, 'EVM_OWNER'))).body,
      );
      expect(verifications.map(({ reason }) => reason)).toEqual(['EVM_WITHDRAWAL']);
      const { status } = await answer(await continuation(asked, sign, 'EVM_WITHDRAWAL'));
      expect(status).toBe(expected);
    },
  );

  it('is refused on a chain where wallets cannot be deployed', async () => {
    const key = aKey();
    const asked = await ask(key.address, worth(VERY_LARGE));
    const body = await continuation(asked, signWith(key));
    const address = contractAddresses.oneTimeWalletFactory;
    const code = (await node.node.getCode({ address })) ?? '0x';
    await node.node.setCode({ address, bytecode: '0x' });
    const refused = await answer(body);
    await node.node.setCode({ address, bytecode: code });
    expect([refused.status, refused.body.errors]).toMatchObject([
      400,
      [{ kind: 'owner', mitigation: 'change' }],
    ]);
    expect((await answer(body)).body.status).toBe('PENDING');
  });

  it('is too late when the chain has passed the end of the signed withdrawal', async () => {
    const key = aKey();
    const asked = await ask(key.address, worth(VERY_LARGE));
    await node.letTimePass(400);
    const { status, body } = await answer(await continuation(asked, signWith(key)));
    expect([status, body.errors]).toMatchObject([400, [{ path: ['verification_token'] }]]);
    expect((await confirm(key.address, worth(LARGE))).body.status).toBe('PENDING');
  });

  it('is asked to try again while a chain of the payment is down', async () => {
    const key = aKey();
    const asked = await ask(key.address, across(VERY_LARGE));
    const body = await continuation(asked, signWith(key));
    await chains.betanet.stop();
    const before = await storedPayments();
    const { status, headers } = await answer(body);
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await storedPayments()).toEqual(before);
    // The owner has signed all the same, and payments on the other chain go on.
    expect((await confirm(key.address, worth(LARGE))).body.status).toBe('PENDING');
  });
});
