import type { ValidationError } from '@bascule/contracts';
import { customProblem, textAt, valueAt } from '../requests/unknown-names.js';

/** Whether the body asks for a requote; null counts as absent. */
export const isRequote = (body: unknown): boolean =>
  (valueAt(body, ['payment_id']) ?? null) !== null;

/** Problems of a requote beside those of any request: a second source of its input, another parent. */
export const requoteProblems = (body: unknown): ValidationError[] => [
  ...ownTerms(body),
  ...otherParent(body),
];

function ownTerms(body: unknown): ValidationError[] {
  const request = valueAt(body, ['request']);
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return [];
  return Object.entries(request)
    .filter(([field, value]) => field !== 'output_asset' && value !== null)
    .map(([field]) =>
      customProblem(
        ['request', field],
        'Not allowed with payment_id: the input is the balance of the payment.',
      ),
    );
}

function otherParent(body: unknown): ValidationError[] {
  const [payment, parent] = [textAt(body, ['payment_id']), textAt(body, ['parent_payment_id'])];
  if (payment === undefined || parent === undefined) return [];
  return payment.toLowerCase() === parent.toLowerCase()
    ? []
    : [customProblem(['parent_payment_id'], 'Must equal payment_id, or be absent.')];
}
