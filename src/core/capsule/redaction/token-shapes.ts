import type { CredentialShape } from "../../text/credentials.ts";

/**
 * Shapes of credentials beyond the table that is shared with records (records.md 14.8): what a person pastes into a
 * prompt. A record is not refused for these, so they may grow with the services that give such keys.
 */
export const TOKEN_SHAPES: readonly CredentialShape[] = [
  {
    name: "gitlab-token",
    pattern: /\bgl(?:pat|ptt|dt|rtr?|cbt|imt|ft|agent|soat|oas|ffct|wt)-[A-Za-z0-9_.=-]{16,}/,
  },
  { name: "npm-token", pattern: /\bnpm_[A-Za-z0-9]{20,}/ },
  { name: "pypi-token", pattern: /\bpypi-(?=[a-z_-]{0,64}[A-Z0-9])[A-Za-z0-9_-]{16,}/ },
  { name: "rubygems-token", pattern: /\brubygems_[A-Za-z0-9]{20,}/ },
  { name: "docker-token", pattern: /\bdckr_[a-z]{3,5}_[A-Za-z0-9_-]{16,}/ },
  {
    name: "aws-key-id",
    pattern: /\b(?:A3T[A-Z0-9]|ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|AROA|ASIA)[A-Z0-9]{16}\b/,
  },
  { name: "google-token", pattern: /\b(?:ya29[.]|GOCSPX-|1\/\/0)[A-Za-z0-9_.-]{20,}/ },
  { name: "slack-token", pattern: /\bx(?:ox(?:[a-np-z](?:[.]xox[a-z])?|o(?=-\d))|app)-[A-Za-z0-9-]{10,}/ },
  {
    name: "slack-webhook",
    pattern: /(?<=hooks[.]slack[.]com\/(?:services|workflows)\/)[A-Za-z0-9+/_-]{16,}/,
  },
  { name: "stripe-key", pattern: /\b(?:whsec_|[rsp]k_(?:live|test)_)[A-Za-z0-9+/=]{16,}/ },
  { name: "azure-key", pattern: /(?<=\b(?:Account|SharedAccess|Shared Access)Key=)[A-Za-z0-9+/=]{20,}/i },
  { name: "azure-secret", pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,}/ },
  { name: "sendgrid-key", pattern: /\bSG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}/ },
  { name: "twilio-key", pattern: /\bSK[0-9a-f]{32}\b/ },
  { name: "digitalocean-token", pattern: /\bdo[a-z]_v1_[a-f0-9]{32,}/ },
  { name: "huggingface-token", pattern: /\b(?:hf|api_org)_[A-Za-z0-9]{20,}/ },
  { name: "vault-token", pattern: /\bhv[a-z][.][A-Za-z0-9_-]{16,}/ },
  { name: "databricks-token", pattern: /\bdapi[0-9a-f]{32,}/ },
  { name: "shopify-token", pattern: /\bshp[a-z]{2}_[0-9a-fA-F]{16,}/ },
  { name: "telegram-token", pattern: /\b\d{8,10}:[A-Za-z0-9_-]{35}\b/ },
  { name: "atlassian-token", pattern: /\bAT[A-Z]{2}[Tt3][A-Za-z0-9_=-]{24,}/ },
  { name: "linear-key", pattern: /\blin_(?:api|oauth)_[A-Za-z0-9]{20,}/ },
  { name: "notion-token", pattern: /\b(?:ntn|secret)_[A-Za-z0-9]{32,}/ },
  { name: "model-key", pattern: /\b(?:(?:gsk|r8|fw)_|(?:xai|pplx|csk)-)[A-Za-z0-9]{24,}/ },
  { name: "together-key", pattern: /\btgp_v1_[A-Za-z0-9_-]{24,}/ },
  { name: "age-key", pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{20,}/i },
  // A token that is signed: its header and its payload are JSON.
  { name: "jwt", pattern: /\beyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{4,}(?:[.][A-Za-z0-9_-]*)*/ },
  { name: "bearer-token", pattern: /\bbearer[ \t]+(?=\S*\d)[A-Za-z0-9._~+/=-]{8,}/i },
  { name: "basic-auth", pattern: /\bbasic[ \t]+(?=\S*[0-9=])[A-Za-z0-9+/_-]{8,}={0,2}/i },
];
