/** Builds the context that binds a ciphertext to its field. */
export const secretContext = (webhookId: string, field: 'auth_header' | 'signing_secret'): string =>
  `webhook:${webhookId}:${field}`;
