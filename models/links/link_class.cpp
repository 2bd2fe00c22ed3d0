#include "models/links/link_class.h"

#include "sim/base/check.h"

namespace ringspan {

std::string_view link_class_name(LinkClass link_class) {
  switch (link_class) {
    case LinkClass::NvLink:
      return "nvlink";
    case LinkClass::C2c:
      return "c2c";
    case LinkClass::Pcie:
      return "pcie";
    case LinkClass::Socket:
      return "socket";
    case LinkClass::Network:
      return "network";
  }
  fail_check("link_class is an enumerator", "unknown link class", __FILE__, __LINE__);
}

}  // namespace ringspan
