import { type Address, getAddress, type Hex } from 'viem';
import type { Call, Declaration, Fee, Leg } from './declaration.js';
import { StrictReader } from './strict-reader.js';
import { bytes16ToUuid, uuidToBytes16 } from './uuid.js';

export interface CallJson {
  target: Address;
  data: Hex;
  value: string;
}

export interface FeeJson {
  receiver: Address;
  cap: string;
}

export interface LegJson {
  chain_id: string;
  input_token: Address;
  max_input: string;
  fees: FeeJson[];
  output_token: Address;
  min_output: string;
  custom_calls: CallJson[];
  bridge_adapter: Address;
  min_bridged: string;
}

/** A declaration as it travels: integers as decimal strings, the payment id as a UUID, checksummed addresses. */
export interface DeclarationJson {
  factory: Address;
  payment_id: string;
  owner: Address;
  executor: Address;
  destination: Address;
  expiry: string;
  legs: LegJson[];
}

export function serializeDeclaration(declaration: Declaration): DeclarationJson {
  return {
    factory: getAddress(declaration.factory),
    payment_id: bytes16ToUuid(declaration.paymentId),
    owner: getAddress(declaration.owner),
    executor: getAddress(declaration.executor),
    destination: getAddress(declaration.destination),
    expiry: declaration.expiry.toString(),
    legs: declaration.legs.map(serializeLeg),
  };
}

function serializeLeg(leg: Leg): LegJson {
  return {
    chain_id: leg.chainId.toString(),
    input_token: getAddress(leg.inputToken),
    max_input: leg.maxInput.toString(),
    fees: leg.fees.map(({ receiver, cap }) => ({
      receiver: getAddress(receiver),
      cap: cap.toString(),
    })),
    output_token: getAddress(leg.outputToken),
    min_output: leg.minOutput.toString(),
    custom_calls: leg.customCalls.map(serializeCall),
    bridge_adapter: getAddress(leg.bridgeAdapter),
    min_bridged: leg.minBridged.toString(),
  };
}

function serializeCall({ target, data, value }: Call): CallJson {
  return {
    target: getAddress(target),
    data: data.toLowerCase() as Hex,
    value: value.toString(),
  };
}

/**
 * The inverse of `serializeDeclaration`, for JSON from anywhere.
 * @throws MalformedJsonError for anything but a declaration, unknown keys and a second leg on a chain included.
 */
export function parseDeclaration(json: unknown): Declaration {
  const declaration = new StrictReader(json, 'declaration').fields([
    'factory',
    'payment_id',
    'owner',
    'executor',
    'destination',
    'expiry',
    'legs',
  ]);
  const legs = declaration.legs.items(parseLeg);
  if (legs.length === 0) declaration.legs.refuse('at least one leg');
  if (new Set(legs.map((leg) => leg.chainId)).size !== legs.length) {
    declaration.legs.refuse('at most one leg for each chain');
  }
  return {
    factory: declaration.factory.address(),
    paymentId: uuidToBytes16(declaration.payment_id.uuid()),
    owner: declaration.owner.address(),
    executor: declaration.executor.address(),
    destination: declaration.destination.address(),
    expiry: declaration.expiry.integer(),
    legs,
  };
}

function parseLeg(json: StrictReader): Leg {
  const leg = json.fields([
    'chain_id',
    'input_token',
    'max_input',
    'fees',
    'output_token',
    'min_output',
    'custom_calls',
    'bridge_adapter',
    'min_bridged',
  ]);
  return {
    chainId: leg.chain_id.integer(),
    inputToken: leg.input_token.address(),
    maxInput: leg.max_input.integer(),
    fees: leg.fees.items(parseFee),
    outputToken: leg.output_token.address(),
    minOutput: leg.min_output.integer(),
    customCalls: leg.custom_calls.items(parseCall),
    bridgeAdapter: leg.bridge_adapter.address(),
    minBridged: leg.min_bridged.integer(),
  };
}

function parseFee(json: StrictReader): Fee {
  const fee = json.fields(['receiver', 'cap']);
  return { receiver: fee.receiver.address(), cap: fee.cap.integer() };
}

function parseCall(json: StrictReader): Call {
  const call = json.fields(['target', 'data', 'value']);
  return { target: call.target.address(), data: call.data.bytes(), value: call.value.integer() };
}
