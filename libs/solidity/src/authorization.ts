import { hashTypedData, type Hex, serializeTypedData } from 'viem';
import { type Call, callType } from './declaration.js';

/** Message that an owner signs to withdraw. Fields are named as in the signed type. */
export interface ServiceAuthorization {
  description: string;
  actions: readonly Call[];
  /** See `withdrawalNonce`. */
  nonce: bigint;
  signatory_declaration_hash: Hex;
  chain_id: bigint;
  /** Ends the executor's rights on this chain for good. */
  accept_blame: boolean;
}

const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
  ],
  ServiceAuthorization: [
    { name: 'description', type: 'string' },
    { name: 'actions', type: 'Call[]' },
    { name: 'nonce', type: 'uint256' },
    { name: 'signatory_declaration_hash', type: 'bytes32' },
    { name: 'chain_id', type: 'uint256' },
    { name: 'accept_blame', type: 'bool' },
  ],
  Call: callType,
} as const;

export interface ServiceAuthorizationTypedData {
  domain: { name: 'OneTimeWallet'; version: '1' };
  types: typeof types;
  primaryType: 'ServiceAuthorization';
  message: ServiceAuthorization;
}

/** For viem's `signTypedData`, `hashTypedData` and `verifyTypedData`. */
export function serviceAuthorizationTypedData(
  authorization: ServiceAuthorization,
): ServiceAuthorizationTypedData {
  return {
    domain: { name: 'OneTimeWallet', version: '1' },
    types,
    primaryType: 'ServiceAuthorization',
    message: authorization,
  };
}

/** The typed data as the JSON that a wallet takes (`eth_signTypedData_v4`), integers as decimal strings. */
export function serviceAuthorizationPayload(authorization: ServiceAuthorization): string {
  return serializeTypedData({ ...serviceAuthorizationTypedData(authorization) });
}

/** The EIP-712 digest that the owner signs. */
export function serviceAuthorizationHash(authorization: ServiceAuthorization): Hex {
  return hashTypedData({ ...serviceAuthorizationTypedData(authorization) });
}
