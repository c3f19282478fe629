import {
  parseTokenIdentifier,
  type FulfilledStep,
  type Payment,
  type RouteChange,
  type TokenIdentifier,
} from '@bascule/contracts';
import { oneTimeWalletAbi, oneTimeWalletAddress, parseDeclaration } from '@bascule/solidity';
import { parseEventLogs, type Address, type Hex } from 'viem';
import type { Chain } from './chain.js';
import { check, checkEqual } from './check.js';
import { checkFees } from './verify-fees.js';
import { receivedIn } from './received.js';

/** Every chain that a payment touches, by name. */
export type ChainsByName = ReadonlyMap<string, Chain>;

/**
 * Compares all that a COMPLETE payment says with the chains, to the last unit. The destination must have been empty before.
 * @param touched the chain it is on, or all of those that it crosses
 * @returns what the destination holds
 */
export async function verifyCompleted(
  touched: Chain | readonly Chain[],
  payment: Payment,
): Promise<bigint> {
  const chains = new Map([touched].flat().map((chain) => [chain.name, chain]));
  checkEqual('the payment is COMPLETE', payment.status, 'COMPLETE');
  check('it was completed at some time', payment.completed_at !== undefined);
  check('it asks for nothing more', payment.next_instruction === undefined);
  checkFees(payment, 'quoted');
  checkFees(payment, 'fulfilled');
  for (const step of payment.fulfilled.route) await verifyStep(chains, payment, step);
  return verifyDestination(chains, payment);
}

async function verifyDestination(chains: ChainsByName, payment: Payment): Promise<bigint> {
  const declaration = parseDeclaration(payment.declaration);
  const minimum = declaration.legs.at(-1)?.minOutput ?? 0n;
  const { asset, amount } = payment.fulfilled.output_amount;
  const token = asset as TokenIdentifier;
  const chain = chainOf(chains, token);
  const held = await chain.balance(token, declaration.destination);
  check('the destination holds the declared minimum', held >= minimum, { held, minimum });
  checkEqual('fulfilled is what it holds', await chain.units(token, amount), held);
  return held;
}

async function verifyStep(
  chains: ChainsByName,
  payment: Payment,
  step: FulfilledStep,
): Promise<void> {
  const name = `step ${step.step_index} (${step.type})`;
  checkEqual(`${name} is COMPLETE`, step.status, 'COMPLETE');
  check(`${name} has a transaction`, (step.transaction_hash ?? '') !== '');
  const { consume, produce } = step.net_effect;
  for (const { tx_id, resource } of produce) {
    const { client } = chainOf(chains, resource.asset);
    const { status } = await client.getTransactionReceipt({ hash: tx_id as Hex });
    checkEqual(`${name} receipt`, status, 'success');
  }
  if (step.type === 'ONCHAIN_STEP') {
    const executed = await verifyLeg(chains, payment, step);
    await checkConservation(chains, name, step, conversionIn(step, executed));
    return;
  }
  await verifyFunding(chains, payment, produce);
  const isFiat = (change: RouteChange) => !change.resource.asset.includes(':');
  if (!consume.some(isFiat)) await checkConservation(chains, name, step, new Map());
}

async function verifyFunding(chains: ChainsByName, payment: Payment, produce: RouteChange[]) {
  const wallet = oneTimeWalletAddress(parseDeclaration(payment.declaration));
  for (const change of produce) {
    const token = change.resource.asset as TokenIdentifier;
    const chain = chainOf(chains, token);
    const arrived = await receivedIn(chain, change.tx_id as Hex, token, wallet);
    checkEqual('a deposit is what arrived', await chain.units(token, change.amount), arrived);
  }
}

interface Executed {
  amount: bigint;
  output: bigint;
}

/** Smallest units that a conversion consumed of its input and, negative, made of its output. */
function conversionIn(step: FulfilledStep, { amount, output }: Executed): Map<string, bigint> {
  const conversion = step.pieces_info.find(({ type }) => type === 'convert');
  if (!conversion) return new Map();
  return new Map([
    [String(conversion['from']), amount],
    [String(conversion['to']), -output],
  ]);
}

/** Returns what the chain says about the leg. */
async function verifyLeg(
  chains: ChainsByName,
  payment: Payment,
  step: FulfilledStep,
): Promise<Executed> {
  const declaration = parseDeclaration(payment.declaration);
  const hash = step.transaction_hash as Hex;
  const { consume, produce } = step.net_effect;
  const given = consume[0]?.resource.asset ?? '';
  const chain = chainOf(chains, given);
  const { logs } = await chain.client.getTransactionReceipt({ hash });
  const wallet = oneTimeWalletAddress(declaration);
  const [executed] = parseEventLogs({
    abi: oneTimeWalletAbi,
    eventName: 'LegExecuted',
    logs: logs.filter((log) => log.address.toLowerCase() === wallet.toLowerCase()),
  });
  if (!executed) throw new Error(`the wallet executed no leg in ${hash}`);
  const { amount, fees, output } = executed.args;
  const feeTotal = fees.reduce((sum, fee) => sum + fee, 0n);
  const moved = (changes: RouteChange[], ...accounts: string[]) => sumOf(chains, changes, accounts);
  const ofInput = consume.filter(({ resource }) => resource.asset === given);
  checkEqual('the wallet gave amount and fees', await moved(ofInput, 'SPW'), amount + feeTotal);
  checkEqual('fees are those on chain', await moved(produce, 'SERVICE', 'REV_SHARE'), feeTotal);
  const isLast = declaration.legs.at(-1)?.chainId === BigInt(chain.chainId);
  if (!isLast) {
    const ownChain = produce.filter(({ resource }) => resource.asset.startsWith(`${chain.name}:`));
    checkEqual('the bridge took the output', await moved(ownChain, 'BRIDGE'), output);
    await verifyArrival(chains, wallet, chain.name, produce);
    return { amount, output };
  }
  checkEqual('the payout is that on chain', await moved(produce, 'DEST'), output);
  const asset = payment.fulfilled.output_amount.asset as TokenIdentifier;
  if (parseTokenIdentifier(asset).address !== NATIVE) {
    const arrived = await receivedIn(chain, hash, asset, declaration.destination);
    checkEqual('the payout is one transfer to the destination', arrived, output);
  }
  return { amount, output };
}

/** Compares the delivery of a bridge with what arrived at the wallet on the next chain. */
async function verifyArrival(
  chains: ChainsByName,
  wallet: Address,
  origin: string,
  produce: RouteChange[],
): Promise<void> {
  const brought = produce.find(
    ({ account, resource }) => account === 'SPW' && !resource.asset.startsWith(`${origin}:`),
  );
  if (!brought) throw new Error('no bridge delivery in the route');
  const token = brought.resource.asset as TokenIdentifier;
  const chain = chainOf(chains, token);
  const arrived = await receivedIn(chain, brought.tx_id as Hex, token, wallet);
  checkEqual('the fill is what arrived', await chain.units(token, brought.amount), arrived);
}

function chainOf(chains: ChainsByName, asset: string): Chain {
  const chain = chains.get(asset.slice(0, asset.indexOf(':')));
  if (!chain) throw new Error(`${asset} is not on a chain of the payment`);
  return chain;
}

const NATIVE = '0x0000000000000000000000000000000000000000';

async function sumOf(
  chains: ChainsByName,
  changes: RouteChange[],
  accounts: string[],
): Promise<bigint> {
  const units = changes
    .filter(({ account }) => accounts.includes(account))
    .map(({ resource: { asset }, amount }) =>
      chainOf(chains, asset).units(asset as TokenIdentifier, amount),
    );
  return (await Promise.all(units)).reduce((sum, each) => sum + each, 0n);
}

/** @param converted what a conversion consumed and made; every other asset is conserved */
async function checkConservation(
  chains: ChainsByName,
  name: string,
  step: FulfilledStep,
  converted: ReadonlyMap<string, bigint>,
): Promise<void> {
  const { consume, produce } = step.net_effect;
  const balances = new Map<string, bigint>();
  for (const [sign, changes] of [[1n, consume] as const, [-1n, produce] as const]) {
    for (const { resource, amount } of changes) {
      const token = resource.asset as TokenIdentifier;
      const units = await chainOf(chains, token).units(token, amount);
      balances.set(resource.asset, (balances.get(resource.asset) ?? 0n) + sign * units);
    }
  }
  for (const [asset, rest] of balances) {
    checkEqual(`${name} conserves ${asset}`, rest, converted.get(asset) ?? 0n);
  }
}
