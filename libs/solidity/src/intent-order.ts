import {
  type Address,
  encodeAbiParameters,
  getAbiItem,
  getAddress,
  hashTypedData,
  type Hex,
  keccak256,
} from 'viem';
import { intentEscrowAbi } from './generated/abis.js';

/** Money that waits in the escrow of its origin chain; amounts in the tokens' smallest units, times in unix seconds. */
export interface Order {
  wallet: Address;
  owner: Address;
  originChainId: bigint;
  inputToken: Address;
  inputAmount: bigint;
  destinationChainId: bigint;
  outputToken: Address;
  recipient: Address;
  /** Minimum for the recipient. */
  minimum: bigint;
  nonce: bigint;
  /** The last second, on the destination chain, in which it can be filled. */
  fillDeadline: bigint;
  /** Time from which it is refundable on the origin chain without an outcome. */
  expires: bigint;
  oracle: Address;
}

export interface RefundInstruction {
  recipient: Address;
  feeReceiver: Address;
  /** Taken from the order's input. */
  fee: bigint;
  validUntil: bigint;
}

/** As `statusOf` of the escrow answers, by position. */
export const ORDER_STATUSES = ['UNKNOWN', 'OPEN', 'RELEASED', 'REFUNDED'] as const;

/** As `outcomeOf` of the oracle answers, by position. */
export const FILL_OUTCOMES = { unknown: 0, filled: 1, unfilled: 2 } as const;

const [orderParameter] = getAbiItem({ abi: intentEscrowAbi, name: 'release' }).inputs;

/** The order's id in an escrow. */
export function orderId(order: Order, escrow: Address): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, orderParameter], [escrow, order]));
}

/** The text that the owner signs as a personal message (EIP-191), as the escrow writes it itself. */
export function refundText(order: Order, instruction: RefundInstruction, escrow: Address): string {
  return [
    'Refund an order from the intent escrow',
    '',
    `Chain: ${order.originChainId}`,
    `Escrow: ${getAddress(escrow)}`,
    `Order: ${orderId(order, escrow)}`,
    `Token: ${getAddress(order.inputToken)}`,
    `Amount: ${order.inputAmount}`,
    `Recipient: ${getAddress(instruction.recipient)}`,
    `Fee, taken from the amount: ${instruction.fee}`,
    `Fee receiver: ${getAddress(instruction.feeReceiver)}`,
    `Valid until: ${instruction.validUntil}`,
  ].join('\n');
}

export interface FillAttestation {
  orderId: Hex;
  outcome: number;
  /** Zero when the order was not filled. */
  filler: Address;
}

/** Typed data that an attester signs, for viem's `signTypedData`. `chainId` is the order's origin. */
export function fillAttestationTypedData(
  attestation: FillAttestation,
  { chainId, oracle }: { chainId: bigint; oracle: Address },
) {
  return {
    domain: { name: 'AttesterOracle', version: '1', chainId, verifyingContract: oracle },
    types: {
      FillAttestation: [
        { name: 'orderId', type: 'bytes32' },
        { name: 'outcome', type: 'uint8' },
        { name: 'filler', type: 'address' },
      ],
    },
    primaryType: 'FillAttestation',
    message: attestation,
  } as const;
}

/** The digest that an attester signs. */
export function fillAttestationHash(
  attestation: FillAttestation,
  oracle: { chainId: bigint; oracle: Address },
): Hex {
  return hashTypedData(fillAttestationTypedData(attestation, oracle));
}

export interface AttesterSignature {
  attester: Address;
  signature: Hex;
}

/** As `attest` of the oracle takes them: in ascending order of the signers, each once. */
export function orderedSignatures(signatures: readonly AttesterSignature[]): Hex[] {
  const byAttester = new Map(
    signatures.map(({ attester, signature }) => [BigInt(attester), signature]),
  );
  return [...byAttester].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, signature]) => signature);
}
