/** Span attributes; OpenTelemetry has no semantic conventions for chains. */
export const transactionAttributes = ({
  chain,
  reference,
}: {
  chain: string;
  reference: string;
}) => ({
  'bascule.chain': chain,
  'bascule.transaction.reference': reference,
});
