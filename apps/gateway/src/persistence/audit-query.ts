/** Selection of a list of audit entries. */
export interface AuditQuery {
  /** With the key sets and keys of the organisation, and of its test organisation. */
  organisationId: string | null;
  /** One organisation, key set or key. */
  subjectId: string | null;
  /** Entries older than this one. */
  before: string | null;
  limit: number;
}
