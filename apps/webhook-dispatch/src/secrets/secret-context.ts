/** Binds a ciphertext to the field that it is the value of. */
export const secretContext = (webhookId: string, field: 'auth_header' | 'signing_secret'): string =>
  `webhook:${webhookId}:${field}`;
