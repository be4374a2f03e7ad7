"""Products: their datasheets and manuals."""

from __future__ import annotations

from samples.source.paper import Paper


def _panel(model: str, format: str, power: int, width: int, height: int, weight: str, cells: str) -> Paper:
    return Paper(
        "datasheets",
        f"alphasolar-{model.lower()}",
        format,
        f"AlphaSolar {model} Photovoltaic Module",
        (
            (
                "Overview",
                f"The AlphaSolar {model} is a monocrystalline photovoltaic module of {power} W for roofs "
                f"and ground-mounted plants. It has {cells} and a frame of anodised aluminium.",
            ),
            (
                "Electrical Data",
                f"| Quantity | Value\n| Nominal power | {power} W\n| Module efficiency | "
                f"{power / (width * height) * 1e5:.1f} %\n| Maximum system voltage | 1,500 V DC\n| Power tolerance | 0 to +5 W",
            ),
            (
                "Mechanical Data",
                f"The {model} has a panel width of {width:,} mm, a height of {height:,} mm and a depth "
                f"of 30 mm. It weighs {weight} kg and withstands a snow load of 5,400 Pa and a wind load of 2,400 Pa.",
            ),
            (
                "Warranty",
                "Twenty-five years on power output and fifteen years on the product. The yearly loss of "
                "power is at most 0.45 percent.",
            ),
        ),
    )


DATASHEETS = (
    _panel("AS-330", "pdf", 330, 992, 1_665, "18.4", "60 half-cut cells"),
    _panel("AS-400", "pdf", 400, 1_134, 1_722, "21.3", "108 half-cut cells"),
    _panel("AS-450", "html", 450, 1_096, 1_900, "23.0", "120 half-cut cells"),
    _panel("AS-550", "txt", 550, 1_303, 2_172, "31.1", "132 half-cut cells"),
    Paper(
        "datasheets",
        "alphasolar-product-family",
        "md",
        "AlphaSolar Product Family Overview",
        (
            (
                "Models",
                "The AlphaSolar family has four models: AS-330, AS-400, AS-450 and AS-550. They share one frame "
                "profile and one connector, so that they can be mixed on the same mounting rails.",
            ),
            (
                "Sizes",
                "The minimum panel width for AlphaSolar models is 992 mm, which is the width of the AS-330. The "
                "widest model is the AS-550 with 1,303 mm. Clamps are placed on the long side, a quarter of the height "
                "away from the corners.",
            ),
            (
                "Choosing a Model",
                "Narrow roofs are best covered with the AS-330. For ground-mounted plants the AS-550 "
                "needs the fewest clamps for each kilowatt.",
            ),
        ),
    ),
    Paper(
        "datasheets",
        "battery-cabinet-b-120",
        "html",
        "Battery Cabinet B-120 Datasheet",
        (
            (
                "Overview",
                "The B-120 is an indoor battery cabinet with a usable capacity of 120 kWh. It holds sixteen "
                "lithium iron phosphate modules and its own battery management system.",
            ),
            (
                "Technical Data",
                "| Quantity | Value\n| Usable capacity | 120 kWh\n| Rated power | 60 kW\n| Voltage range | "
                "672 to 864 V DC\n| Weight | 1,480 kg\n| Degree of protection | IP54",
            ),
            (
                "Operating Conditions",
                "The cabinet works from 0 to 45 degrees Celsius. Above 40 degrees the power is "
                "reduced by 2 percent for each degree. The relative humidity must stay below 85 percent.",
            ),
        ),
    ),
    Paper(
        "datasheets",
        "inverter-iq-60",
        "docx",
        "Inverter IQ-60 Datasheet",
        (
            (
                "Overview",
                "The IQ-60 is a three-phase string inverter of 60 kW with four maximum power point trackers.",
            ),
            (
                "Technical Data",
                "| Quantity | Value\n| Rated power | 60 kW\n| European efficiency | 98.2 %\n| Input voltage | "
                "200 to 1,000 V DC\n| Noise | below 50 dB(A)\n| Weight | 74 kg",
            ),
            (
                "Protection",
                "The inverter has surge arresters of type 2 on both sides, residual current monitoring and "
                "detection of electric arcs.",
            ),
        ),
    ),
)

MANUALS = (
    Paper(
        "manuals",
        "battery-cabinet-b-120-maintenance",
        "pdf",
        "Battery Cabinet B-120 Maintenance Manual",
        (
            (
                "Safety First",
                "Only trained electricians may open the battery cabinet B-120. The direct current terminals "
                "carry up to 864 V even when the main switch is off. Wear insulating gloves of class 0 and a face shield, "
                "and never work alone. Keep metal tools that are not insulated away from the open cabinet.",
            ),
            (
                "Maintenance Schedule",
                "The B-120 is inspected every month by looking at its display and filters, and "
                "serviced in full every twelve months. The cooling fans are replaced every five years, and the coolant "
                "hoses every eight years.",
            ),
            (
                "Maintenance Steps",
                "Carry out the yearly maintenance of battery cabinet B-120 in this order:\n"
                "1. Set the cabinet to service mode at the display and wait until the current reads 0 A.\n"
                "2. Switch off the main switch, lock it and attach a warning tag.\n"
                "3. Wait fifteen minutes, then check with a voltage tester that the inverter terminals are dead.\n"
                "4. Clean or replace the two air filters behind the lower door.\n"
                "5. Tighten the busbar bolts to 12 Nm and mark each bolt with paint.\n"
                "6. Measure the insulation resistance; it must be above 1 megohm.\n"
                "7. Check the coolant level and the hoses for leaks.\n"
                "8. Remove the lock, switch on the main switch and leave service mode.\n"
                "9. Enter the date and the measured values in the service log.",
            ),
            (
                "Fault Codes",
                "| Code | Meaning | Remedy\n| F01 | Module temperature too high | Check fans and filters\n| F07 | "
                "Insulation fault | Stop operation and call service\n| F12 | Communication lost | Check the network cable",
            ),
            (
                "Storage and Transport",
                "A cabinet that is out of use is stored at a state of charge of 30 to 50 percent and "
                "charged again every six months. Modules are lifted with the handling frame HF-2 only.",
            ),
        ),
    ),
    Paper(
        "manuals",
        "battery-cabinet-b-200-maintenance",
        "docx",
        "Battery Cabinet B-200 Maintenance Manual",
        (
            (
                "Safety First",
                "The battery cabinet B-200 stands outdoors and has a liquid cooling circuit under pressure. "
                "Release the pressure before you open it.",
            ),
            (
                "Maintenance Steps",
                "Carry out the maintenance of battery cabinet B-200 every six months:\n"
                "1. Stop the cabinet by remote command and confirm the stop on site.\n"
                "2. Release the pressure of the cooling circuit.\n"
                "3. Replace the desiccant cartridge.\n"
                "4. Inspect the door seals and the roof for corrosion.\n"
                "5. Refill the coolant to 1.4 bar and restart the cabinet.",
            ),
        ),
    ),
    Paper(
        "manuals",
        "alphasolar-installation-guide",
        "html",
        "AlphaSolar Installation Guide",
        (
            (
                "Before You Start",
                "Check the roof structure and the local wind and snow loads. Do not carry modules by their "
                "junction box or cables, and do not step on them.",
            ),
            (
                "Mounting",
                "Place the rails at right angles to the rafters. Leave a gap of at least 20 mm between modules. "
                "Tighten the clamps to 14 Nm. Each module needs four clamps; in snow regions six.",
            ),
            (
                "Grounding",
                "Connect the frames of each row with a copper conductor of at least 6 square millimetres. The "
                "resistance to earth must be below 10 ohms.",
            ),
        ),
    ),
    Paper(
        "manuals",
        "inverter-iq-60-quick-start",
        "md",
        "Inverter IQ-60 Quick Start",
        (
            (
                "Mounting",
                "Hang the inverter on its bracket at a height of 1.2 m, in the shade and with 500 mm of free space "
                "above it.",
            ),
            (
                "Commissioning",
                "1. Check the polarity of each string.\n2. Close the direct current switch.\n3. Choose the "
                "country code in the menu.\n4. Wait for the green light, which takes about two minutes.",
            ),
        ),
    ),
    Paper(
        "manuals",
        "fleet-tire-inspection",
        "txt",
        "Fleet Tire Inspection Guide",
        (
            (
                "Tread",
                "Measure the tread depth of every tire each month at three points. Replace a tire whose tread is "
                "below 4 mm on the steering axle or below 3 mm elsewhere.",
            ),
            (
                "Pressure",
                "Check the pressure when the tires are cold. Light trucks run at 55 psi in front and 65 psi in the "
                "rear, unless the door plate says otherwise.",
            ),
        ),
    ),
    Paper(
        "manuals",
        "site-safety-handbook",
        "pdf",
        "Site Safety Handbook",
        (
            (
                "Reporting",
                "Report every accident and every near miss to the site manager within one hour. Use form S-3; the "
                "manager sends it to the safety office on the same day.",
            ),
            (
                "Personal Protective Equipment",
                "Helmet, safety shoes and high-visibility vest are worn everywhere on site. "
                "Hearing protection is worn where the noise is above 85 dB(A).",
            ),
            (
                "Working at Heights",
                "Above 1.8 m use a guard rail or a harness. Ladders are for access and not for work that "
                "takes longer than thirty minutes.",
            ),
            (
                "Electrical Work",
                "Five rules: disconnect; secure against reconnection; prove dead; earth and short-circuit; "
                "cover neighbouring live parts.",
            ),
        ),
    ),
)
