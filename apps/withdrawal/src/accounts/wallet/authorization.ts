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

/** Parses typed data that this service created and stored, so its shape is trusted. */
export function authorizationOf(typedData: string): ServiceAuthorization {
  const { message } = JSON.parse(typedData) as TypedDataJson;
  return {
    ...message,
    actions: message.actions.map((action) => ({ ...action, value: BigInt(action.value) })),
    nonce: BigInt(message.nonce),
    chain_id: BigInt(message.chain_id),
  };
}

/** Reads the nonce of typed data from a client; `''`, which matches no withdrawal, when it has none. */
export function nonceOf(payload: string): string {
  try {
    const { message } = JSON.parse(payload) as { message?: { nonce?: unknown } };
    return typeof message?.nonce === 'string' ? message.nonce : '';
  } catch {
    return '';
  }
}
