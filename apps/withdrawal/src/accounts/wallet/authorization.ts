import type { ServiceAuthorization } from '@bascule/solidity';
import type { Address, Hex } from 'viem';

interface TypedDataJson {
  message: {
    description: string;
    actions: { target: Address; data: Hex; value: string }[];
    nonce: string;
    signatory_declaration_hash: Hex;
    chain_id: string;
    accept_blame: boolean;
  };
}

/** Reads back what this service itself made and stored: its shape is trusted. */
export function authorizationOf(typedData: string): ServiceAuthorization {
  const { message } = JSON.parse(typedData) as TypedDataJson;
  return {
    ...message,
    actions: message.actions.map((action) => ({ ...action, value: BigInt(action.value) })),
    nonce: BigInt(message.nonce),
    chain_id: BigInt(message.chain_id),
  };
}

/** Of typed data that a client sent back; `''` when it is not that of a withdrawal, and so names none. */
export function nonceOf(payload: string): string {
  try {
    const { message } = JSON.parse(payload) as { message?: { nonce?: unknown } };
    return typeof message?.nonce === 'string' ? message.nonce : '';
  } catch {
    return '';
  }
}
