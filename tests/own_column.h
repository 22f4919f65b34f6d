// A column of the results that is there for one test.
#pragma once

#include "subcore/model/statistics/result_columns.h"

namespace subcore::test {

class OwnColumn {
 public:
  explicit OwnColumn(const ResultColumn& column) { result_columns().add(column); }
  ~OwnColumn() { result_columns() = before_; }
  OwnColumn(const OwnColumn&) = delete;
  OwnColumn& operator=(const OwnColumn&) = delete;

 private:
  ResultColumns before_ = result_columns();
};

}  // namespace subcore::test
