/** The errors of Node for a certificate that it does not accept: OpenSSL's names, and its own for another host name. */
const ofCertificate = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

export function isCertificateFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ofCertificate.test(String(error.code));
}
