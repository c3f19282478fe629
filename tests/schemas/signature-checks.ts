import { at, when } from './problems.js';
import type { Verification } from './wire-types.js';

interface TypedData {
  types?: Record<string, { name: string; type: string }[]>;
  domain?: object;
  primaryType?: string;
  message?: { actions?: unknown; accept_blame?: unknown };
}

const AUTHORIZATION_FIELDS = [
  'Call[] actions',
  'bool accept_blame',
  'bytes32 signatory_declaration_hash',
  'string description',
  'uint256 chain_id',
  'uint256 nonce',
];

const CALL_FIELDS = ['address target', 'bytes data', 'uint256 value'];

/** Finds what is wrong with a signature that a confirm asks for. */
export function verificationProblems({ reason, signature_type, payload }: Verification): string[] {
  const isWithdrawal = reason === 'EVM_WITHDRAWAL';
  if (signature_type !== 'EIP712') {
    return when(isWithdrawal, `${reason}: signature_type is ${signature_type}, expected EIP712`);
  }
  if (!isWithdrawal) return at(reason, typedDataProblems(payload));
  return at(reason, [
    ...authorizationProblems(payload),
    ...messageProblems(payload, ({ actions, accept_blame }) => [
      ...when(accept_blame !== false, 'accept_blame is not false'),
      ...when(!Array.isArray(actions) || actions.length > 0, 'actions is not an empty array'),
    ]),
  ]);
}

/** Finds what is wrong with the text of a withdrawal: typed data has the EIP-712 structure of the specification. */
export function checkWithdrawalRequest(body: unknown): string[] {
  const { signature_type, withdraw_authorization: payload } = body as Record<string, string>;
  if (signature_type !== 'EIP712' || payload === undefined) return [];
  return at('/withdraw_authorization', [
    ...authorizationProblems(payload),
    ...messageProblems(payload, ({ actions, accept_blame }) => [
      ...when(typeof accept_blame !== 'boolean', 'accept_blame is not a boolean'),
      ...when(!Array.isArray(actions) || actions.length === 0, 'actions are none'),
    ]),
  ]);
}

function typedDataProblems(payload: string): string[] {
  const { types = {}, domain, primaryType = '', message } = typedData(payload) ?? {};
  const isComplete = domain && message && types.EIP712Domain && types[primaryType];
  return when(!isComplete, 'payload is not EIP-712 typed data with its domain type');
}

function authorizationProblems(payload: string): string[] {
  const problems = typedDataProblems(payload);
  if (problems.length > 0) return problems;
  const { types = {}, domain = {}, primaryType = '' } = typedData(payload) ?? {};
  return [
    ...fieldProblems(types[primaryType], AUTHORIZATION_FIELDS),
    ...fieldProblems(types.Call, CALL_FIELDS),
    ...when(
      Object.keys(domain).sort().join() !== 'name,version',
      `domain has ${Object.keys(domain).join()}, expected name,version`,
    ),
  ];
}

function fieldProblems(type: { name: string; type: string }[] = [], expected: string[]): string[] {
  const fields = type.map((field) => `${field.type} ${field.name}`).sort();
  return when(
    fields.join() !== expected.join(),
    `fields are ${fields.join()}, expected ${expected.join()}`,
  );
}

const messageProblems = (
  payload: string,
  problemsOf: (message: NonNullable<TypedData['message']>) => string[],
): string[] => problemsOf(typedData(payload)?.message ?? {});

function typedData(payload: string): TypedData | null {
  try {
    return JSON.parse(payload) as TypedData | null;
  } catch {
    return null;
  }
}
