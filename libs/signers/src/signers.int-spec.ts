import { freePort } from '@bascule/local-stack';
import { parseConfig, ServiceContext } from '@bascule/process';
import { eventually, startTestChain, type TestChain } from '@bascule/testing';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import {
  createTestClient,
  createWalletClient,
  http,
  keccak256,
  parseEther,
  publicActions,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  recoverAddress,
  type Hex,
  type TransactionSerialized,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import {
  accountOf,
  openSigner,
  SignerRefusedError,
  signersEnv,
  SignerUnavailableError,
  type Signer,
  type SignerEnvironment,
} from './index.js';
import { startStandInKms, type Misbehaviour, type StandInKms } from './testing/index.js';

const PROVIDERS = ['aws-kms', 'gcp-kms', 'azure-kv'] as const;
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const DIGEST = keccak256('0x01');

const typedData = {
  domain: { name: 'Bascule', version: '1', chainId: 31337 },
  types: { Order: [{ name: 'id', type: 'bytes32' }] },
  primaryType: 'Order',
  message: { id: DIGEST },
} as const;

const privateKey = generatePrivateKey();
const { address } = privateKeyToAccount(privateKey);
const stranger = privateKeyToAccount(generatePrivateKey()).address;

let kms: StandInKms;
let context: ServiceContext;

beforeAll(async () => {
  kms = await startStandInKms({ privateKey, port: await freePort() });
});

afterAll(() => kms.stop());

beforeEach(() => {
  context = new ServiceContext({ name: 'signers', environment: 'test', logLevel: 'silent' });
});

afterEach(async () => {
  kms.misbehave();
  await context.shutdown.run(1_000);
});

function open(location: string, more: Record<string, string> = {}): Promise<Signer> {
  const config = parseConfig({ ...kms.environment, ...more }, signersEnv);
  const env: SignerEnvironment = { context, config };
  return openSigner(location, env);
}

/** Fails every request until the stand-in behaves again. */
const fail = (how: Misbehaviour) => kms.misbehave(...Array.from({ length: 1_000 }, () => how));

const errorIn = (fields: unknown): unknown => (fields as { err?: unknown }).err;

async function unopened() {
  const gauge = context.metrics.getSingleMetric('signer_unopened');
  return ((await gauge?.get()) ?? { values: [] }).values;
}

/** Requests by outcome so far. */
async function outcomes(): Promise<Record<string, number>> {
  const counter = context.metrics.getSingleMetric('signer_requests_total');
  const { values } = (await counter?.get()) ?? { values: [] };
  return Object.fromEntries(
    values.map(({ labels, value }) => [`${labels.operation} ${labels.outcome}`, value]),
  );
}

/** Returns the error of a rejected promise. */
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => {
      throw new Error(`expected a failure, got ${String(value)}`);
    },
    (error: unknown) => error,
  );

describe.each(PROVIDERS)('a signer of %s', (provider) => {
  const location = () => kms.locations[provider];

  it('signs digests, typed data and messages that recover to its address, always with a low s', async () => {
    const signer = await open(location());
    expect(signer.address).toBe(address);
    for (let index = 0; index < 10; index += 1) {
      const hash = keccak256(`0x0${index}`);
      const signature = await signer.signDigest(hash);
      expect(signature).toHaveLength(2 + 2 * 65);
      expect(BigInt(`0x${signature.slice(66, 130)}`)).toBeLessThanOrEqual(HALF_ORDER);
      expect(await recoverAddress({ hash, signature })).toBe(address);
    }
    const typed = await signer.signTypedData(typedData);
    expect(await recoverTypedDataAddress({ ...typedData, signature: typed })).toBe(address);
    const message = await accountOf(signer).signMessage({ message: 'bascule' });
    expect(await recoverMessageAddress({ message: 'bascule', signature: message })).toBe(address);
    expect(await outcomes()).toMatchObject({ 'public_key ok': 1, 'sign ok': 12 });
  });

  it('signs transactions of both kinds as viem does by the private key', async () => {
    const account = accountOf(await open(location()));
    const to = stranger;
    for (const transaction of [
      { type: 'eip1559', chainId: 1, nonce: 3, gas: 21_000n, to, value: 1n, maxFeePerGas: 2n },
      { type: 'legacy', chainId: 1, nonce: 3, gas: 21_000n, to, value: 1n, gasPrice: 2n },
    ] as const) {
      const signed = await account.signTransaction(transaction);
      const serializedTransaction = signed as TransactionSerialized;
      expect(await recoverTransactionAddress({ serializedTransaction })).toBe(address);
    }
    const signature = await account.sign?.({ hash: DIGEST });
    expect(await recoverAddress({ hash: DIGEST, signature: signature ?? '0x' })).toBe(address);
  });

  it('refuses another key than the location names', async () => {
    const [error, named] = [
      await failureOf(open(`${location()}#${stranger}`)),
      await open(`${location()}#${address}`),
    ];
    expect(String(error)).toContain(`has the address ${address}, not ${stranger}`);
    expect(named.address).toBe(address);
  });

  const lies: Misbehaviour[] = [
    'signs with another key',
    'signs another digest',
    'answers with half a signature',
    'answers with zeros',
    ...(provider === 'gcp-kms' ? (['names another key'] as const) : []),
  ];
  it.each(lies)('refuses a service that %s, without another try', async (lie) => {
    const signer = await open(location());
    kms.misbehave(lie, lie, lie);
    const error = await failureOf(signer.signDigest(DIGEST));
    expect(error).toBeInstanceOf(SignerRefusedError);
    expect(error).toMatchObject({ reason: 'invalid_answer', retryable: false });
    expect(await outcomes()).toMatchObject({ 'sign invalid_answer': 1 });
  });

  it('refuses a public key on another curve', async () => {
    kms.misbehave('has a key on another curve');
    expect(await failureOf(open(location()))).toMatchObject({
      cause: { reason: 'invalid_answer' },
    });
  });

  it.each([
    { status: 503, code: 'Unavailable' },
    'hangs up',
    { status: 403, code: 'AccessDenied' },
  ] as const)(
    'is opened later after %j at start, where its location names the address',
    async (outage) => {
      fail(outage);
      const signer = await open(`${location()}#${address}`);
      expect(signer.address).toBe(address);
      expect(await failureOf(signer.signDigest(DIGEST))).toBeInstanceOf(SignerUnavailableError);
      expect(await unopened()).toEqual([{ labels: { provider, signer: address }, value: 1 }]);
      kms.misbehave();
      await signer.opening;
      const signature = await signer.signDigest(DIGEST);
      expect(await recoverAddress({ hash: DIGEST, signature })).toBe(address);
      expect(await unopened()).toEqual([{ labels: { provider, signer: address }, value: 0 }]);
    },
  );

  it('signs nothing where it turns out later to have another key than its address names', async () => {
    fail({ status: 503, code: 'Unavailable' });
    const logged = jest.spyOn(context.logger, 'error');
    const signer = await open(`${location()}#${stranger}`);
    kms.misbehave();
    await eventually(() => {
      const problems = logged.mock.calls.map(([about]) => everythingIn(errorIn(about)));
      expect(problems.join()).toContain(`has the address ${address}, not ${stranger}`);
    });
    expect(await failureOf(signer.signDigest(DIGEST))).toBeInstanceOf(SignerUnavailableError);
    expect(await unopened()).toMatchObject([{ value: 1 }]);
  });

  it('says how to start without it, where its location names no address', async () => {
    fail({ status: 503, code: 'Unavailable' });
    const error = await failureOf(open(location()));
    expect(String(error)).toContain(`${provider}: public_key failed`);
    expect(String(error)).toContain('add #0x…');
  });

  it.each([
    { status: 503, code: 'Unavailable' },
    { status: 500, code: 'InternalError' },
    { status: 429, code: 'TooManyRequests' },
    'hangs up',
  ] as const)('tries again after %j, at most twice', async (outage) => {
    const signer = await open(location());
    kms.misbehave(outage);
    const signature = await signer.signDigest(DIGEST);
    expect(await recoverAddress({ hash: DIGEST, signature })).toBe(address);

    const before = kms.requests.length;
    kms.misbehave(outage, outage, outage, outage);
    const error = await failureOf(signer.signDigest(DIGEST));
    expect(error).toBeInstanceOf(SignerUnavailableError);
    expect(error).toMatchObject({ retryable: true });
    expect(kms.requests.slice(before)).toHaveLength(3);
    expect(await outcomes()).toMatchObject({ 'sign ok': 1, 'sign unavailable': 4 });
  });

  it('waits for three answers at most, each for the configured time', async () => {
    const signer = await open(location(), { SIGNER_TIMEOUT_MS: '1500' });
    kms.misbehave('hangs', 'hangs', 'hangs');
    const error = await failureOf(signer.signDigest(DIGEST));
    expect(error).toBeInstanceOf(SignerUnavailableError);
    expect(error).toMatchObject({ reason: 'timeout', retryable: true });
    expect(await outcomes()).toMatchObject({ 'sign timeout': 3 });
  });

  it('does not try again without a permission', async () => {
    const signer = await open(location());
    const before = kms.requests.length;
    kms.misbehave({ status: 403, code: 'AccessDenied' });
    const error = await failureOf(signer.signDigest(DIGEST));
    expect(error).toBeInstanceOf(SignerRefusedError);
    expect(String(error)).toContain('403');
    expect(
      kms.requests.slice(before).filter(({ operation }) => operation === 'sign').length,
    ).toBeLessThanOrEqual(2);
    expect(await outcomes()).toMatchObject({ 'sign refused': 1 });
  });

  it('ends a request when the service stops', async () => {
    const signer = await open(location(), { SIGNER_TIMEOUT_MS: '60000' });
    const before = kms.requests.length;
    kms.misbehave('hangs', 'hangs');
    const signing = failureOf(signer.signDigest(DIGEST));
    await eventually(() => expect(kms.requests.length).toBeGreaterThan(before));
    await context.shutdown.run(10_000);
    expect(await signing).toMatchObject({ name: 'SignerUnavailableError', reason: 'aborted' });
  });

  it('tells no digest, signature or credential in its errors', async () => {
    const signer = await open(location());
    for (const how of [
      { status: 403, code: 'AccessDenied' },
      'answers with half a signature',
      'answers without JSON',
    ] as const) {
      kms.misbehave(how, how, how);
      const error = await failureOf(signer.signDigest(DIGEST));
      const told = everythingIn(error);
      expect(told).toContain(provider);
      for (const secret of [DIGEST.slice(2), 'stand-in', 'Bearer', 'AWS4-HMAC', '<html>']) {
        expect(told).not.toContain(secret);
      }
    }
  });

  it('refuses a digest that has not 32 bytes', async () => {
    const signer = await open(location());
    for (const digest of ['0x', DIGEST.slice(0, 64), `${DIGEST}00`, 'text'] as Hex[]) {
      await expect(signer.signDigest(digest)).rejects.toThrow('expected a digest of 32 bytes');
    }
  });
});

/** Text of an error as a logger could print it: own properties, stack and causes. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = Object.getOwnPropertyNames(error).map((name) =>
    JSON.stringify(Reflect.get(error, name)),
  );
  return [String(error), ...own, error.cause ? everythingIn(error.cause) : ''].join('\n');
}

describe('a signer of gcp-kms', () => {
  it.each(['has a wrong checksum', 'received another digest'] as const)(
    'discards the answer of a service that %s, and tries again',
    async (corruption) => {
      const signer = await open(kms.locations['gcp-kms']);
      kms.misbehave(corruption);
      const signature = await signer.signDigest(DIGEST);
      expect(await recoverAddress({ hash: DIGEST, signature })).toBe(address);

      kms.misbehave(corruption, corruption, corruption);
      expect(await failureOf(signer.signDigest(DIGEST))).toBeInstanceOf(SignerUnavailableError);
      expect(await outcomes()).toMatchObject({ 'sign ok': 1, 'sign unavailable': 4 });
    },
  );

  it('discards a public key with a wrong checksum', async () => {
    kms.misbehave('has a wrong checksum', 'has a wrong checksum', 'has a wrong checksum');
    expect(await failureOf(open(kms.locations['gcp-kms']))).toMatchObject({
      cause: { retryable: true },
    });
  });
});

describe.each(['gcp-kms', 'azure-kv'] as const)('the public key of a signer of %s', (provider) => {
  it('is refused when it is of another version', async () => {
    kms.misbehave('names another key');
    expect(await failureOf(open(kms.locations[provider]))).toMatchObject({
      cause: { reason: 'invalid_answer' },
    });
  });
});

describe('a signer of aws-kms', () => {
  it('tries again when AWS throttles by a 400, and not for a disabled key', async () => {
    const signer = await open(kms.locations['aws-kms']);
    kms.misbehave({ status: 400, code: 'ThrottlingException' });
    await signer.signDigest(DIGEST);
    kms.misbehave({ status: 400, code: 'DisabledException' });
    const error = await failureOf(signer.signDigest(DIGEST));
    expect(error).toMatchObject({ reason: 'refused', retryable: false });
    expect(String(error)).toContain('DisabledException');
  });
});

describe('a local signer', () => {
  it('signs by the key that the location holds', async () => {
    const signer = await open(`${privateKey}#${address}`);
    const signature = await signer.signDigest(DIGEST);
    expect(await recoverAddress({ hash: DIGEST, signature })).toBe(address);
    const typed = await signer.signTypedData(typedData);
    expect(await recoverTypedDataAddress({ ...typedData, signature: typed })).toBe(address);
    expect(String(await failureOf(open(`${privateKey}#${stranger}`)))).not.toContain(
      privateKey.slice(2, 20),
    );
  });
});

describe('a transaction signed by a key management service', () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await startTestChain();
  });
  afterAll(() => chain.stop());

  it.each(PROVIDERS)('is mined for the address of the key of %s', async (provider) => {
    const account = accountOf(await open(kms.locations[provider]));
    const transport = http(chain.rpcUrl);
    const node = createTestClient({ mode: 'anvil', transport }).extend(publicActions);
    await node.setBalance({ address, value: parseEther('1') });
    const wallet = createWalletClient({ account, transport });
    const before = await node.getBalance({ address: stranger });
    const hash = await wallet.sendTransaction({ chain: null, to: stranger, value: 7n });
    await node.mine({ blocks: 1 });
    const receipt = await node.getTransactionReceipt({ hash });
    expect(receipt).toMatchObject({ status: 'success', from: address.toLowerCase() });
    expect(await node.getBalance({ address: stranger })).toBe(before + 7n);
  });
});
