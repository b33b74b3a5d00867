#pragma once

#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "support/error.h"

namespace solway::detail {

/// "'a', 'b'"
inline std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "'" : ", '") + word + "'";
  return text;
}

/// Reads the keys of one table of a target file; `finish` refuses those that nobody asked for.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string path, const std::string& file,
              const SourceLoc& where)
      : table_(table), path_(std::move(path)), file_(file), where_(where) {}

  std::string text(const char* key) { return require<std::string>(key, "a string"); }

  std::string text_or(const char* key, std::string fallback) {
    return has(key) ? text(key) : std::move(fallback);
  }

  bool flag_or(const char* key, bool fallback) {
    return has(key) ? require<bool>(key, "true or false") : fallback;
  }

  std::int64_t integer(const char* key, std::int64_t at_least) {
    const std::int64_t value = require<std::int64_t>(key, "an integer");
    if (value < at_least) {
      fail(key, "is " + std::to_string(value), "give at least " + std::to_string(at_least));
    }
    return value;
  }

  std::int64_t integer_or(const char* key, std::int64_t at_least, std::int64_t fallback) {
    return has(key) ? integer(key, at_least) : fallback;
  }

  int small(const char* key, int at_least) {
    const std::int64_t value = integer(key, at_least);
    if (value > INT32_MAX) {
      fail(key, "is " + std::to_string(value), "give at most " + std::to_string(INT32_MAX));
    }
    return static_cast<int>(value);
  }

  double number(const char* key, double at_least) {
    const toml::node& value = node(key);
    if (!value.is_number()) fail_type(key, "a number");
    const double number = *value.value<double>();
    if (!(number >= at_least)) {
      std::ostringstream given;
      given << "is " << number;
      std::ostringstream least;
      least << "give at least " << at_least;
      fail(key, given.str(), least.str());
    }
    return number;
  }

  void read(const char* key, int& to, int at_least) { to = small(key, at_least); }
  void read(const char* key, double& to, int at_least) { to = number(key, at_least); }

  std::int64_t power_of_two(const char* key) {
    const std::int64_t value = integer(key, 1);
    if ((value & (value - 1)) != 0) {
      fail(key, "is " + std::to_string(value), "give a power of two");
    }
    return value;
  }

  /// The value that belongs to the word given for `key`.
  template <typename T>
  T one_of(const char* key, const std::vector<std::pair<std::string, T>>& choices) {
    const std::string word = text(key);
    std::vector<std::string> words;
    for (const auto& [name, value] : choices) {
      if (name == word) return value;
      words.push_back(name);
    }
    fail(key, "is '" + word + "'", "give one of " + joined(words));
  }

  TableReader table(const char* key) {
    const toml::table* inner = node(key).as_table();
    if (inner == nullptr) fail_type(key, "a table");
    return TableReader(*inner, path_ + key + ".", file_, where_);
  }

  /// One reader per table of an array of tables; none when the key is absent.
  std::vector<TableReader> tables_or_none(const char* key) {
    std::vector<TableReader> readers;
    if (!has(key)) return readers;
    const toml::array* items = node(key).as_array();
    if (items == nullptr) fail_type(key, "an array of tables");
    for (const toml::node& item : *items) {
      if (!item.is_table()) fail_type(key, "an array of tables");
      const std::string path = path_ + key + "[" + std::to_string(readers.size()) + "].";
      readers.emplace_back(*item.as_table(), path, file_, where_);
    }
    return readers;
  }

  /// Rows of `width` numbers.
  std::vector<std::vector<double>> rows(const char* key, std::size_t width) {
    const std::string expected = "an array of rows of " + std::to_string(width) + " numbers";
    const toml::array* items = node(key).as_array();
    if (items == nullptr) fail_type(key, expected);
    std::vector<std::vector<double>> result;
    for (const toml::node& item : *items) {
      const toml::array* row = item.as_array();
      if (row == nullptr || row->size() != width) fail_type(key, expected);
      std::vector<double> numbers;
      for (const toml::node& number : *row) {
        const std::optional<double> value = number.value<double>();
        if (!value || !number.is_number()) fail_type(key, expected);
        numbers.push_back(*value);
      }
      result.push_back(std::move(numbers));
    }
    return result;
  }

  bool has(const char* key) {
    known_.insert(key);
    return table_.contains(key);
  }

  std::vector<std::string> keys() const {
    std::vector<std::string> names;
    for (const auto& [key, value] : table_) names.emplace_back(key.str());
    return names;
  }

  /// Refuses keys that were never asked for.
  void finish() const {
    for (const auto& [key, value] : table_) {
      const std::string name(key.str());
      if (known_.count(name) != 0) continue;
      throw_error("target file '" + file_ + "' has the unknown key '" + path_ + name + "'",
                  at(value) + " sets it; this table takes " +
                      joined(std::vector<std::string>(known_.begin(), known_.end())),
                  "remove the key or correct its name");
    }
  }

  [[noreturn]] void fail(const char* key, const std::string& fact, const std::string& fix) {
    throw_error("target file '" + file_ + "' has an unusable key '" + path_ + key + "'",
                "at " + at(node(key)) + " it " + fact, fix);
  }

 private:
  template <typename T>
  T require(const char* key, const std::string& expected) {
    const toml::node& value = node(key);
    if (!value.is<T>()) fail_type(key, expected);
    return *value.value<T>();
  }

  const toml::node& node(const char* key) {
    if (!has(key)) {
      throw_error("target file '" + file_ + "' lacks the key '" + path_ + key + "'",
                  "the table at " + at(table_) + " has only " + joined(keys()),
                  "add '" + std::string(key) + "'");
    }
    return *table_.get(key);
  }

  [[noreturn]] void fail_type(const char* key, const std::string& expected) {
    fail(key, "is not " + expected, "give " + expected);
  }

  [[noreturn]] void throw_error(std::string what, std::string why, std::string fix) const {
    throw ScheduleArgumentError({where_, std::move(what), std::move(why), std::move(fix)});
  }

  std::string at(const toml::node& value) const {
    return file_ + ":" + std::to_string(value.source().begin.line);
  }

  const toml::table& table_;
  std::string path_;  ///< of this table, with a dot at the end: "cores."
  const std::string& file_;
  const SourceLoc& where_;
  std::set<std::string> known_;
};

}  // namespace solway::detail
