import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CREATE2_DEPLOYER, deploymentData, deploymentsOf, executorAbi } from '@bascule/solidity';
import { deploySafe, startTestChain, type Safe, type TestChain } from '@bascule/testing';
import {
  encodeFunctionData,
  toFunctionSelector,
  zeroAddress,
  type Address,
  type EncodeFunctionDataParameters,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { developmentAccounts } from './development-accounts.js';
import { type DevelopmentClient, developmentClient, sendAll } from './development-client.js';

const [faucet, , operator, , , , newOperator, , ...signers] = developmentAccounts;
const accounts = signers.slice(0, 3).map(({ privateKey }) => privateKeyToAccount(privateKey));
const [first, second, third] = accounts as [Account, Account, Account];
type Account = ReturnType<typeof privateKeyToAccount>;

/** Selectors of the executor's errors, which a Safe passes on. */
const OWNER_REQUIRED = toFunctionSelector('OwnerRequired()');
const UNAUTHORIZED = toFunctionSelector('OwnableUnauthorizedAccount(address)');

let chain: TestChain;
let client: DevelopmentClient;
let safe: Safe;
let executor: Address;

beforeAll(async () => {
  chain = await startTestChain();
  client = developmentClient(chain.rpcUrl);
  safe = await aSafe();
  executor = await deployExecutor(safe.address);
});

afterAll(() => chain.stop());

const aSafe = () =>
  deploySafe(
    chain.rpcUrl,
    accounts.map(({ address }) => address),
    2,
  );

async function deployExecutor(owner: Address): Promise<Address> {
  const deployments = deploymentsOf({ executor: { owner, operators: [operator.address] } });
  const deployment = deployments.find(({ name }) => name === 'executor');
  if (deployment?.initCode === undefined) throw new Error('expected an executor');
  await sendAll(client, [
    {
      what: 'executor',
      from: faucet.address,
      to: CREATE2_DEPLOYER,
      data: deploymentData(deployment.initCode),
    },
  ]);
  return deployment.address;
}

type Call = EncodeFunctionDataParameters<typeof executorAbi>;
const call = (encoded: Omit<Call, 'abi'>) => ({
  to: executor,
  data: encodeFunctionData({ abi: executorAbi, ...encoded }),
});
const appointment = (account: Address, allowed: boolean) =>
  call({ functionName: 'setOperator', args: [account, allowed] });

const read = (functionName: 'owner' | 'pendingOwner' | 'operators') =>
  client.readContract({ address: executor, abi: executorAbi, functionName });

describe('a Safe of two of three that owns the executor contract', () => {
  it('appoints the new operator, then dismisses the old one', async () => {
    await safe.execute(appointment(newOperator.address, true), [first, third]);
    expect(await read('operators')).toEqual([operator.address, newOperator.address]);
    await safe.execute(appointment(operator.address, false), [second, third]);
    expect(await read('operators')).toEqual([newOperator.address]);
  });

  it('does nothing on one signature, nor on that of a stranger beside it', async () => {
    const before = await read('operators');
    const stranger = privateKeyToAccount(operator.privateKey);
    for (const signed of [[first], [first, first], [first, stranger]]) {
      await expect(safe.execute(appointment(faucet.address, true), signed)).rejects.toThrow(/GS02/);
    }
    expect(await read('operators')).toEqual(before);
  });

  it('cannot renounce the ownership', async () => {
    const renunciation = call({ functionName: 'renounceOwnership' });
    await expect(safe.execute(renunciation, [first, second])).rejects.toThrow(OWNER_REQUIRED);
    expect(await read('owner')).toBe(safe.address);
  });

  it('hands the executor to another Safe once that one accepts', async () => {
    const next = await aSafe();
    await safe.execute(call({ functionName: 'transferOwnership', args: [next.address] }), [
      first,
      second,
    ]);
    expect(await read('owner')).toBe(safe.address);
    expect(await read('pendingOwner')).toBe(next.address);

    const acceptance = call({ functionName: 'acceptOwnership' });
    await expect(safe.execute(acceptance, [first, second])).rejects.toThrow(UNAUTHORIZED);
    await next.execute(acceptance, [second, third]);
    expect(await read('owner')).toBe(next.address);
    expect(await read('pendingOwner')).toBe(zeroAddress);
    await expect(safe.execute(appointment(faucet.address, true), [first, second])).rejects.toThrow(
      UNAUTHORIZED,
    );
    await next.execute(appointment(faucet.address, true), [first, third]);
    expect(await read('operators')).toContain(faucet.address);
  });
});
