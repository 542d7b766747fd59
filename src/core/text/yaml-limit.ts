/** More than any policy or front matter needs, in bytes; the library's price grows faster than the text. */
export const YAML_MAXIMUM_BYTES = 64 * 1024;
