import {
  type Address,
  concat,
  encodePacked,
  getContractAddress,
  getCreate2Address,
  hashStruct,
  type Hex,
  pad,
  size,
} from 'viem';

/** One call, exactly as it is made; `value` in wei. */
export interface Call {
  target: Address;
  data: Hex;
  value: bigint;
}

/** `cap` in the smallest unit of the leg's input token. */
export interface Fee {
  receiver: Address;
  cap: bigint;
}

/** Steps on one chain; amounts in the smallest units, native currency is the zero address. */
export interface Leg {
  chainId: bigint;
  inputToken: Address;
  /** The most that leaves the wallet, fees included. */
  maxInput: bigint;
  fees: readonly Fee[];
  outputToken: Address;
  minOutput: bigint;
  customCalls: readonly Call[];
  /** The zero address: the leg pays the destination. */
  bridgeAdapter: Address;
  minBridged: bigint;
}

/** Permitted outcomes of a payment's funds; its hash determines the wallet's address. */
export interface Declaration {
  factory: Address;
  /** The payment's UUID as 16 bytes, see `uuidToBytes16`. */
  paymentId: Hex;
  owner: Address;
  executor: Address;
  destination: Address;
  /** Unix seconds. */
  expiry: bigint;
  legs: readonly Leg[];
}

export const callType = [
  { name: 'target', type: 'address' },
  { name: 'data', type: 'bytes' },
  { name: 'value', type: 'uint256' },
] as const;

const declarationTypes = {
  Declaration: [
    { name: 'factory', type: 'address' },
    { name: 'paymentId', type: 'bytes16' },
    { name: 'owner', type: 'address' },
    { name: 'executor', type: 'address' },
    { name: 'destination', type: 'address' },
    { name: 'expiry', type: 'uint256' },
    { name: 'legs', type: 'Leg[]' },
  ],
  Leg: [
    { name: 'chainId', type: 'uint256' },
    { name: 'inputToken', type: 'address' },
    { name: 'maxInput', type: 'uint256' },
    { name: 'fees', type: 'Fee[]' },
    { name: 'outputToken', type: 'address' },
    { name: 'minOutput', type: 'uint256' },
    { name: 'customCalls', type: 'Call[]' },
    { name: 'bridgeAdapter', type: 'address' },
    { name: 'minBridged', type: 'uint256' },
  ],
  Fee: [
    { name: 'receiver', type: 'address' },
    { name: 'cap', type: 'uint256' },
  ],
  Call: callType,
} as const;

const SALT = `0x${'0'.repeat(64)}` as const;

/** The EIP-712 struct hash: the `signatory_declaration_hash`. */
export function declarationHash(declaration: Declaration): Hex {
  return hashStruct({
    data: { ...declaration },
    primaryType: 'Declaration',
    types: declarationTypes,
  });
}

/** Address of the declaration's wallet, deployed or not; the same on every chain. */
export function oneTimeWalletAddress(declaration: Declaration): Address {
  return cloneOf(declaration.factory, declarationHash(declaration)).address;
}

/** Address and code of the runner of a wallet's custom calls, deployed or not; the same on every chain. */
export function actionRunner(factory: Address, wallet: Address): { address: Address; code: Hex } {
  return cloneOf(factory, pad(wallet));
}

/** A minimal proxy (ERC-1167) with arguments after its code, as OpenZeppelin's Clones make it. */
function cloneOf(factory: Address, args: Hex): { address: Address; code: Hex } {
  // The factory's constructor deploys the implementation: its first contract.
  const implementation = getContractAddress({ from: factory, nonce: 1n });
  const code = concat([
    '0x363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
    args,
  ]);
  const creation = concat([
    encodePacked(['bytes1', 'uint16'], ['0x61', size(code)]),
    '0x3d81600a3d39f3',
    code,
  ]);
  return { address: getCreate2Address({ from: factory, salt: SALT, bytecode: creation }), code };
}
